import LeapJSON
import LeapOpenAIFormat

/// Items as they are kept and listed: each with an identifier, a type and a status, and messages with a list of parts.
enum StoredItems {
    private static let prefixes = [
        "message": "msg_", "function_call": "fc_", "function_call_output": "fco_", "custom_tool_call": "ctc_",
        "custom_tool_call_output": "ctco_", "reasoning": "rs_",
    ]
    private static let withStatus: Set<String> = ["message", "function_call", "function_call_output"]

    /// The items of an input, a text or an array.
    ///
    /// - Parameter known: identifiers that are taken; an item with one of them gets another.
    static func of(_ input: JSONValue?, known: some Sequence<JSONValue> = []) -> [JSONValue] {
        var taken = Set(known.compactMap { $0["id"]?.string })
        let values = input?.string.map { [.object(["role": "user", "content": .string($0)])] } ?? input?.array ?? []
        return values.map { item(of: $0, &taken) }
    }

    private static func item(of value: JSONValue, _ taken: inout Set<String>) -> JSONValue {
        guard var item = value.object else { return value }
        let type = item["type"]?.string ?? "message"
        var named: JSONObject = [:]
        let given = item["id"]?.string ?? ""
        let id = given.isEmpty || taken.contains(given) ? Identifier.make(prefixes[type] ?? "item_") : given
        taken.insert(id)
        named["id"] = .string(id)
        named["type"] = .string(type)
        if withStatus.contains(type), item["status"]?.string == nil { item["status"] = "completed" }
        if type == "message", let text = item["content"]?.string {
            item["content"] = .array([
                item["role"]?.string == OpenAI.Role.assistant.rawValue
                    ? ResponseDocument.part(text)
                    : .object([
                        "type": .string(OpenAI.PartType.inputText.rawValue), "text": .string(text),
                    ])
            ])
        }
        for (key, value) in item.members where key != "id" && key != "type" { named[key] = value }
        return .object(named)
    }

    /// An item without log probabilities, which lists have where they are asked for.
    static func withoutLogprobs(_ item: JSONValue) -> JSONValue {
        guard var object = item.object, let parts = object["content"]?.array else { return item }
        object["content"] = .array(
            parts.map { part in
                guard var members = part.object, members["logprobs"]?.array?.isEmpty == false else { return part }
                members["logprobs"] = .array([])
                return .object(members)
            })
        return .object(object)
    }
}
