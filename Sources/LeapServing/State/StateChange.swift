import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A change of a ``StateStore``, as it is written to its file.
enum StateChange: Sendable {
    case put(String, StoredRecord)
    /// Items at the end of a conversation, and their messages; nil for messages that have to be made from the items.
    case append(String, [JSONValue], [ChatMessage]?)
    case remove(String)

    /// The change without messages, which can be made from items.
    var json: JSONValue {
        switch self {
        case .put(let id, .response(let response)):
            .object(["put": .string(id), "response": StoredRecord.response(response).json])
        case .put(let id, .conversation(let conversation)):
            .object(["put": .string(id), "conversation": StoredRecord.conversation(conversation).json])
        case .append(let id, let items, _): .object(["append": .string(id), "items": .array(items)])
        case .remove(let id): .object(["remove": .string(id)])
        }
    }

    /// The change as another run of the server reads it: responses that were in progress have failed.
    var afterRestart: StateChange {
        guard case .put(let id, .response(var response)) = self, response.status == "in_progress",
            var document = response.document.object
        else { return self }
        document["status"] = "failed"
        document["error"] = .object([
            "code": .string(OpenAI.ErrorType.server.rawValue),
            "message": "the server ended before the response was completed",
        ])
        response.document = .object(document)
        return .put(id, .response(response))
    }
}

extension StateChange {
    /// Reads a change; nil for other JSON.
    init?(_ json: JSONValue) {
        if let id = json["put"]?.string {
            guard let record = Self.record(json) else { return nil }
            self = .put(id, record)
        } else if let id = json["append"]?.string, let items = json["items"]?.array {
            self = .append(id, items, nil)
        } else if let id = json["remove"]?.string {
            self = .remove(id)
        } else {
            return nil
        }
    }

    private static func record(_ json: JSONValue) -> StoredRecord? {
        if let response = json["response"] {
            guard let document = response["document"], document.object != nil, let items = response["items"]?.array
            else { return nil }
            return .response(StoredResponse(document: document, items: items))
        }
        guard let conversation = json["conversation"], let created = conversation["created"]?.integer,
            let metadata = conversation["metadata"]?.object, let items = conversation["items"]?.array
        else { return nil }
        var stored = StoredConversation(created: Int64(created), metadata: metadata)
        stored.append(items, nil)
        return .conversation(stored)
    }
}
