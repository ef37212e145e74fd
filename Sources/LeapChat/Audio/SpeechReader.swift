import Foundation
import LeapAudio
package import LeapBase
import LeapHashing
package import LeapModel
package import LeapTokenizer

/// Lets one model speak, and reads the replies it has spoken.
package struct SpeechReader: MediaReader {
    /// The hash that names the decoder.
    package let encoder: StableHash
    package var medium: Medium { .speech }
    private let start: TokenID?
    private let textEnd: TokenID?
    private let vocabularySize: Int

    /// - Parameter decoder: names the decoder of speech, which may be in another process.
    package init(_ decoder: StableHash, tokenizer: Tokenizer) {
        encoder = decoder
        start = tokenizer.token(for: "<|audio_start|>")
        textEnd = tokenizer.token(for: "<|text_end|>")
        vocabularySize = tokenizer.vocabularySize
    }

    // MARK: Replies to come

    /// Returns the request for the speech of a reply to a history; nil where the reply is text only.
    package func request(_ history: [ChatMessage], _ extras: GenerationExtras, seed: UInt64?) -> SpeechRequest? {
        let order = extras.audioOrder ?? Self.order(of: history)
        guard order != .off else { return nil }
        // The decoder has values of its own for what is not set.
        var sampling = extras.audioSampling
        // Codes have numbers of their own, so that text is the same with them and without.
        sampling.seed = seed.map { $0 ^ 0x5350_4545_4348_0001 }
        return SpeechRequest(
            order: order == .interleaved ? .interleaved : .sequential, sampling: sampling, start: start,
            textEnd: textEnd)
    }

    /// Models are told by the system message ("Respond with interleaved text and audio.").
    private static func order(of history: [ChatMessage]) -> AudioOrder {
        let isInterleaved = history.contains { $0.role == .system && $0.text.lowercased().contains("interleaved") }
        return isInterleaved ? .interleaved : .sequential
    }

    // MARK: Replies of before

    /// The messages without the speech that cannot be repeated: that of another model, or of a message whose text was
    /// changed.
    static func readable(_ messages: [ChatMessage], by reader: SpeechReader?) -> [ChatMessage] {
        messages.map { message in
            guard message.role == .assistant, message.content.contains(where: { $0.medium == .audio }),
                reader?.record(of: message) == nil
            else { return message }
            var silent = message
            silent.content.removeAll { $0.medium == .audio }
            silent.origin = message.origin
            return silent
        }
    }

    /// Returns the tokens and codes of a message as the model spoke it; nil where the message has been changed since.
    private func record(of message: ChatMessage) -> SpeechRecord? {
        guard message.media.count == 1, message.functionCalls == nil, message.reasoningContent == nil,
            let record = Self.record(in: message.media[0].data), record.decoder == encoder,
            record.textDigest == SHA256.hash(Data(message.text.utf8)), isUsable(record)
        else { return nil }
        return record
    }

    private static func record(in file: Data) -> SpeechRecord? {
        (try? WAVFile(file))?.chunk(SpeechRecord.chunkName).flatMap { SpeechRecord($0) }
    }

    /// Returns whether a record's tokens are in the model's vocabulary.
    private func isUsable(_ record: SpeechRecord) -> Bool {
        record.items.allSatisfy { if case .token(let token) = $0 { token < vocabularySize } else { true } }
    }

    package func read(_ file: MediaFile) throws -> (tokens: [TokenID], parts: [MediaPart]) {
        guard let record = Self.record(in: file.data), record.decoder == encoder, isUsable(record) else {
            throw LeapGenerationException("the speech in a message is from another model: remove its audio")
        }
        var tokens: [TokenID] = []
        var parts: [MediaPart] = []
        var frames: [SpeechFrame] = []
        func close() {
            guard !frames.isEmpty else { return }
            parts.append(MediaPart(tokenCount: frames.count, medium: .speech) { [frames] in .speech(frames) })
            frames = []
        }
        for item in record.items {
            switch item {
            case .token(let token):
                close()
                tokens.append(token)
            case .frame(let frame):
                frames.append(frame)
                tokens.append(frame.place(decoder: encoder))
            }
        }
        close()
        return (tokens, parts)
    }
}
