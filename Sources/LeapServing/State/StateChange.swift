import LeapCore
import LeapJSON

/// A change of a ``StateStore``.
enum StateChange: Sendable {
    case put(String, StoredRecord)
    /// Items at the end of a conversation, and their messages; nil for messages that have to be made from the items.
    case append(String, [JSONValue], [ChatMessage]?)
    case remove(String)
}
