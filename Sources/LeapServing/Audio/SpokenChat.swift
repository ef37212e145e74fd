import Foundation
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The sound that a chat completion asks for besides text, in `modalities` and `audio`.
struct SpokenChat: Sendable {
    /// The format in which the sound is written.
    enum Format: String, CaseIterable, Sendable {
        case wav
        /// FLAC of 16 bits.
        case flac
        /// 16-bit samples without a header.
        case pcm16
    }

    var format: Format

    /// The time for which later requests can refer to a reply's sound, in seconds.
    static let lifetime: Int64 = 3600

    /// Reads the fields.
    ///
    /// - Returns: nil where text is all that is asked for.
    /// - Throws: ``APIError`` that names the field at fault.
    static func read(
        _ fields: inout RequestFields, isStream: Bool, ignored: inout [String]
    ) throws(APIError) -> SpokenChat? {
        let modalities = try fields.array(OpenAI.Key.modalities)
        let audio = try fields.object(OpenAI.Key.audio)
        if let modalities {
            let names = modalities.compactMap(\.string)
            guard names.count == modalities.count, names.contains("text"),
                names.allSatisfy({ ["text", "audio"].contains($0) })
            else {
                throw .invalid("'modalities' has to be [\"text\"] or [\"text\", \"audio\"]", OpenAI.Key.modalities)
            }
        }
        guard modalities?.contains("audio") == true else {
            if audio != nil { ignored.append(OpenAI.Key.audio) }
            return nil
        }
        guard let audio else {
            throw .invalid("'audio' is missing; 'modalities' with audio needs its format", OpenAI.Key.audio)
        }
        var inner = RequestFields(audio)
        let format: Format
        do {
            format = try AudioSpeechRequest.format(&inner, OpenAI.Key.format, Format.self) ?? (isStream ? .pcm16 : .wav)
            // The models answer in a voice of their own, but a name that is none is a mistake.
            if let voice = inner.value("voice") {
                _ = try SpeechVoice(voice, "voice")
                ignored.append("audio.voice")
            }
        } catch {
            var error = error
            error.parameter = error.parameter.map { "audio.\($0)" }
            throw error
        }
        guard !isStream || format == .pcm16 else {
            throw .invalid(
                "'audio.format' is \(format.rawValue), which is not streamed: ask for pcm16", "audio.format")
        }
        ignored += inner.ignored.map { "audio.\($0)" }
        return SpokenChat(format: format)
    }

    /// The messages with the one that asks for sound.
    func asking(_ messages: [ChatMessage]) -> [ChatMessage] {
        var messages = messages
        if messages.first?.role == .system {
            messages[0].content.insert(.text(SpeechPrompts.conversation + "\n"), at: 0)
        } else {
            messages.insert(ChatMessage(role: .system, textContent: SpeechPrompts.conversation), at: 0)
        }
        return messages
    }

    /// The sound of a whole reply.
    ///
    /// - Parameter samples: 16-bit samples.
    func json(_ samples: Data, transcript: String, id: String, created: Int64) -> JSONValue {
        let bytes = format == .pcm16 ? samples : PCM16.file(samples, isFLAC: format == .flac)
        return .object([
            OpenAI.Key.id: .string(id), OpenAI.Key.data: .string(bytes.base64EncodedString()),
            OpenAI.Key.transcript: .string(transcript),
            OpenAI.Key.expiresAt: .integer(created + Self.lifetime),
        ])
    }

    // MARK: Earlier replies

    /// The replies that messages refer to by `audio.id`, by the places of the messages.
    static func references(_ fields: inout RequestFields) throws(APIError) -> [Int: String] {
        var references: [Int: String] = [:]
        for (index, message) in (try fields.array(OpenAI.Key.messages) ?? []).enumerated() {
            guard message[OpenAI.Key.role]?.string == OpenAI.Role.assistant.rawValue,
                let audio = message[OpenAI.Key.audio], audio != .null
            else { continue }
            guard let id = audio[OpenAI.Key.id]?.string else {
                throw .invalid("'messages[\(index)].audio.id' is missing", "messages[\(index)].audio.id")
            }
            references[index] = id
        }
        return references
    }

    /// The messages with the replies that they refer to.
    ///
    /// - Throws: ``APIError`` for a reply that is not there, or not any more.
    static func resolved(
        _ messages: [ChatMessage], _ references: [Int: String], _ store: ResponseStore
    ) throws(APIError) -> [ChatMessage] {
        var messages = messages
        for (index, id) in references {
            guard let message = store[id] else {
                throw .invalid(
                    "there is no sound '\(HeaderText.safe(id))', or it is gone: send its transcript as content",
                    "messages[\(index)].audio.id", code: "audio_not_found")
            }
            messages[index] = message
        }
        return messages
    }
}
