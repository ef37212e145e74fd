import FoundationEssentials
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The sound of streamed chat completions, as members of their deltas.
struct ChatAudioStream: Sendable {
    let store: ResponseStore
    private var ids: [Int: String] = [:]
    private var writers: [Int: SpeechWriter] = [:]

    init(store: ResponseStore) { self.store = store }

    /// The identifier of a reply's sound, and whether it is new.
    private mutating func id(_ index: Int) -> (String, isNew: Bool) {
        if let id = ids[index] { return (id, false) }
        let id = Identifier.make("audio_")
        ids[index] = id
        return (id, true)
    }

    private mutating func delta(_ index: Int, _ members: JSONObject) -> JSONValue {
        var delta = members
        let (id, isNew) = id(index)
        if isNew { delta[OpenAI.Key.id] = .string(id) }
        return .object(delta)
    }

    mutating func transcript(_ text: String, of index: Int) -> JSONValue {
        delta(index, [OpenAI.Key.transcript: .string(text)])
    }

    mutating func data(_ samples: [Float], _ rate: Int, of index: Int) -> JSONValue {
        let bytes = writers[index, default: SpeechWriter()].bytes(samples, rate, .pcm)
        return delta(index, [OpenAI.Key.data: .string(bytes.base64EncodedString())])
    }

    /// The last delta, and keeps the reply for requests that refer to it; nil where there was no sound and no text.
    mutating func end(_ parts: ReplyParts, of index: Int, created: Int64) -> JSONValue? {
        guard let id = ids[index] else { return nil }
        keep(parts, as: id)
        return .object([OpenAI.Key.expiresAt: .integer(created + SpokenChat.lifetime)])
    }

    /// Keeps a reply for requests that refer to it.
    ///
    /// - Returns: the identifier of its sound.
    func keep(_ parts: ReplyParts) -> String {
        let id = Identifier.make("audio_")
        keep(parts, as: id)
        return id
    }

    private func keep(_ parts: ReplyParts, as id: String) {
        if let message = parts.completion?.message { store.insert(id, message) }
    }
}
