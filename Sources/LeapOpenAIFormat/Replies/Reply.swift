package import LeapJSON

extension OpenAI {
    /// The data that ends a stream of chunks.
    package static let streamEnd = "[DONE]"

    /// A whole reply to a request, or a chunk of a streamed one.
    package struct Reply: Sendable, Hashable {
        /// The member `object`.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case completion = "chat.completion"
            case chunk = "chat.completion.chunk"
        }

        package var kind: Kind?
        package var id: String?
        /// Seconds since 1970.
        package var created: Int64?
        package var model: String?
        package var choices: [Choice]
        package var usage: Usage?

        package init(
            _ kind: Kind, id: String, created: Int64, model: String, choices: [Choice], usage: Usage? = nil
        ) {
            (self.kind, self.id, self.created, self.model) = (kind, id, created, model)
            self.choices = choices
            self.usage = usage
        }

        /// Reads a reply or a chunk, without an error: members of other kinds are passed over.
        package init(_ object: JSONObject) {
            kind = object[Key.object]?.string.flatMap { Kind(rawValue: $0) }
            id = object[Key.id]?.string
            created = object[Key.created]?.integer.map { Int64($0) }
            model = object[Key.model]?.string
            choices = (object[Key.choices]?.array ?? []).compactMap { Choice($0) }
            usage = Usage(object[Key.usage])
        }

        /// The reply as the members of a JSON object.
        package var object: JSONObject {
            var object: JSONObject = [:]
            object[Key.id] = id.map { .string($0) }
            object[Key.object] = kind.map { .string($0.rawValue) }
            object[Key.created] = created.map { .integer($0) }
            object[Key.model] = model.map { .string($0) }
            object[Key.choices] = .array(choices.map(\.json))
            object[Key.usage] = usage?.json
            return object
        }
    }
}
