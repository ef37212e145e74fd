import Foundation
import LeapJSON
import LeapOpenAIFormat

/// The members that every part of an answer begins with.
struct Heading: Sendable {
    let id: String
    let model: String
    let created = Int64(Date().timeIntervalSince1970)

    /// A document of a kind, with members after those that all have.
    func document(_ object: String, _ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var document: JSONObject = [
            OpenAI.Key.id: .string(id), OpenAI.Key.object: .string(object), OpenAI.Key.created: .integer(created),
            OpenAI.Key.model: .string(model),
        ]
        for (key, value) in members { document[key] = value }
        return .object(document)
    }

    /// A chat completion, or a chunk of one.
    ///
    /// - Parameter usage: the tokens, which a stream has in its last chunk alone, where they are asked for.
    func reply(_ kind: OpenAI.Reply.Kind, _ choices: [OpenAI.Choice], usage: TokenUsage? = nil) -> JSONValue {
        var document = OpenAI.Reply(
            kind, id: id, created: created, model: model, choices: choices, usage: usage?.openAI
        ).object
        document["timings"] = usage?.timings
        document["trimming"] = usage?.trimming
        return .object(document)
    }
}
