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
    /// The form of the decoder's frames.
    package let form: SpeechForm
    private let start: TokenID?
    private let textEnd: TokenID?
    /// Tokens that stand in prompts for what is not text.
    private let placeholders: [TokenID]
    private let vocabularySize: Int
    /// True if the model reads pictures too, as LFM3-Omni does.
    private let readsImages: Bool

    private static let startMark = "<|audio_start|>"
    private static let textEndMark = "<|text_end|>"
    /// Likely parts of LFM3-Audio's name for it, which no published file was read for.
    private static let textEndParts = ["text_end", "end_of_text", "text_eos"]
    private static let placeholders = ["<|audio|>", "<|audio_out|>", "<|image|>", "<|video|>"]
    /// Closes the reasoning in front of a reply of LFM3-Omni.
    static let closedReasoning = "<think></think>"

    /// - Parameters:
    ///   - decoder: names the decoder of speech, which may be in another process.
    ///   - form: the form of its frames.
    ///   - readsImages: whether the model reads pictures too.
    package init(
        _ decoder: StableHash, form: SpeechForm = .lfm2Audio, tokenizer: Tokenizer, readsImages: Bool = false
    ) {
        encoder = decoder
        self.form = form
        self.readsImages = readsImages
        start = tokenizer.token(for: Self.startMark)
        textEnd = Self.textEnd(tokenizer, form)
        placeholders = form == .lfm2Audio ? [] : Self.placeholders.compactMap { tokenizer.token(for: $0) }
        vocabularySize = tokenizer.vocabularySize
    }

    /// The token that ends the text of an interleaved reply; nil where there is none.
    private static func textEnd(_ tokenizer: Tokenizer, _ form: SpeechForm) -> TokenID? {
        if let token = tokenizer.token(for: textEndMark) { return token }
        guard form != .lfm2Audio else { return nil }
        return (0..<TokenID(tokenizer.vocabularySize)).first { token in
            guard [.control, .userDefined].contains(tokenizer.kind(of: token)) else { return false }
            let text = tokenizer.text(of: token)
            return textEndParts.contains { text.contains($0) }
        }
    }

    // MARK: Replies to come

    /// Returns the request for the speech of a reply to a history; nil where the reply is text only.
    package func request(_ history: [ChatMessage], _ extras: GenerationExtras, seed: UInt64?) -> SpeechRequest? {
        let order = order(of: history, extras)
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
    ///
    /// LFM3-Audio speaks only if it is told so.
    private func order(of history: [ChatMessage], _ extras: GenerationExtras) -> AudioOrder {
        if let order = extras.audioOrder { return order }
        let isInterleaved = history.contains { $0.role == .system && $0.text.lowercased().contains("interleaved") }
        guard !isInterleaved else { return .interleaved }
        return form == .lfm2Audio || Self.asks(history, for: SpeechPrompts.speechStart) ? .sequential : .off
    }

    /// Returns true if a system message begins with the words that ask for a task.
    private static func asks(_ history: [ChatMessage], for words: String) -> Bool {
        history.contains { $0.role == .system && $0.text.hasPrefix(words) }
    }

    /// Returns the text with which a reply is opened in the prompt, its marks being tokens; nil where the model begins it.
    ///
    /// LFM3-Audio reads a text aloud without writing any; LFM3-Omni's reasoning is closed for all tasks.
    package func opening(of history: [ChatMessage], _ extras: GenerationExtras) -> String? {
        guard form != .lfm2Audio, Self.asks(history, for: SpeechPrompts.taskStart) else { return nil }
        let speaks = order(of: history, extras) == .sequential && Self.asks(history, for: SpeechPrompts.speechStart)
        let text = (readsImages ? Self.closedReasoning : "") + (speaks && start != nil ? Self.startMark : "")
        return text.isEmpty ? nil : text
    }

    /// Returns the tokens that LFM3-Audio must not write as text: placeholders and, where no speech follows it, the mark
    /// that begins speech.
    package func forbiddenTokens(in order: SpeechOrder?) -> [TokenID] {
        guard form != .lfm2Audio else { return [] }
        return placeholders + (order == .sequential ? [] : [start].compactMap { $0 })
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

    /// Returns whether a record's tokens are in the model's vocabulary, and its frames of the decoder's form.
    private func isUsable(_ record: SpeechRecord) -> Bool {
        record.items.allSatisfy { item in
            switch item {
            case .token(let token): token < vocabularySize
            case .frame(let frame): frame.codes.count == form.codebookCount
            }
        }
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
