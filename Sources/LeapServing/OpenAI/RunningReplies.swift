import LeapBase
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The chat completions that are being written, by their identifiers: `POST /v1/chat/completions/control`.
final class RunningReplies: Sendable {
    private struct Entry {
        weak var control: ReplyControl?
    }

    private let entries: Locked<[String: Entry]>
    private let owner: RecordOwner

    init() {
        entries = Locked([:])
        owner = RecordOwner(nil)
    }

    /// The completions of one owner among those of all.
    init(_ all: RunningReplies, of holder: KeyHolder?) {
        entries = all.entries
        owner = RecordOwner(holder)
    }

    /// Adds a completion; it is forgotten with its control, which its replies hold.
    func add(_ control: ReplyControl, id: String) {
        guard let id = owner.name(of: id) else { return }
        entries.withLock { entries in
            entries = entries.filter { $0.value.control != nil }
            entries[id] = Entry(control: control)
        }
    }

    /// Answers a request to act on a completion, in llama.cpp's words.
    func reply(to request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        guard let id = try fields.string(OpenAI.Key.id), !id.isEmpty else {
            throw APIError.invalid("'id' is missing; expected the id of a chat completion", OpenAI.Key.id)
        }
        let action = try fields.string("action")
        guard action == "reasoning_end" else {
            throw APIError.invalid(
                "'action' is \(action.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'reasoning_end'",
                "action")
        }
        // The id names the model's reply; other servers find it by both.
        _ = try fields.string(OpenAI.Key.model)
        guard let control = owner.name(of: id).flatMap({ name in entries.withLock { $0[name]?.control } }) else {
            throw APIError.notFound("no chat completion '\(HeaderText.safe(id))' is being written")
        }
        control.endThinking()
        return .json(.object(["success": .bool(true), "message": .string("the reasoning ends")])).warning(
            of: fields.ignored)
    }
}
