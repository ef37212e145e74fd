import LeapBase
import LeapJSON
import LeapTemplate

/// Ids of calls in the form that a template demands, the same for a call and its result.
///
/// An id depends on the one it stands for, not on its place in the history, so that a prompt stays the beginning of the
/// next one.
struct CallIDs {
    private let form: ToolCallIDForm
    private var ids: [String: String] = [:]
    private var taken: Set<String> = []
    /// The maximum number of attempts at another id; few forms have so few ids that more would help.
    private static let maxAttempts: UInt64 = 64

    init(form: ToolCallIDForm) { self.form = form }

    /// The messages with ids of that form.
    static func rewritten(_ messages: [JSONObject], as form: ToolCallIDForm) -> [JSONObject] {
        var ids = CallIDs(form: form)
        return messages.enumerated().map { index, message in
            var message = message
            if let calls = message["tool_calls"]?.array {
                message["tool_calls"] = .array(calls.map { ids.rewritten($0) })
            }
            if message["role"] == "tool" {
                // Results without a call have none.
                let id = message["tool_call_id"]?.string ?? "result \(index)"
                message["tool_call_id"] = .string(ids.id(for: id))
            }
            return message
        }
    }

    private mutating func rewritten(_ call: JSONValue) -> JSONValue {
        guard var object = call.object, let id = object["id"]?.string else { return call }
        object["id"] = .string(self.id(for: id))
        return .object(object)
    }

    /// The id that stands for another: itself where it has the form, and no other call's in this history.
    mutating func id(for original: String) -> String {
        if let id = ids[original] { return id }
        var id = original
        var attempt: UInt64 = 0
        while !form.accepts(id) || taken.contains(id), attempt < Self.maxAttempts {
            id = made(of: original, attempt)
            attempt += 1
        }
        ids[original] = id
        taken.insert(id)
        return id
    }

    private func made(of original: String, _ attempt: UInt64) -> String {
        let characters = Array(form.characters.utf8)
        var hash = StableHash(seed: attempt)
        hash.combine(original)
        var id: [UInt8] = []
        while id.count < form.length {
            // A word holds ten characters and more.
            hash.combine(UInt64(id.count))
            var word = hash.low
            for _ in 0..<min(10, form.length - id.count) {
                id.append(characters[Int(word % UInt64(characters.count))])
                word /= UInt64(characters.count)
            }
        }
        return String(decoding: id, as: UTF8.self)
    }
}
