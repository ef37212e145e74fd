import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// `system` and `messages` of Anthropic's Messages API, as the messages of a chat.
///
/// A message there is one block of several kinds after the other: results of tools stand in messages of the user, calls
/// and thoughts in those of the assistant. Blocks of tools that Anthropic runs, which a conversation brings along that
/// was begun there, are read as text where they have one, and left out otherwise: the conversation goes on.
struct MessagesInput: Sendable {
    private(set) var messages: [ChatMessage] = []
    /// The places of the parts of each message in the request.
    private(set) var places: [String] = []
    /// The places of blocks that are left out, with their types.
    private(set) var leftOut: [String] = []
    /// The names of the tools that were called, by the calls' identifiers: results name the call alone.
    private var calls: [String: String] = [:]

    /// Reads the fields.
    ///
    /// - Throws: ``APIError`` that names the block at fault.
    init(_ fields: inout RequestFields) throws {
        if let system = fields.value("system") {
            let text = try text(system, at: "system")
            if !text.isEmpty { append(ChatMessage(role: .system, textContent: text), "system") }
        }
        guard let entries = try fields.array("messages"), !entries.isEmpty else {
            throw APIError.invalid("'messages' is missing or empty; expected at least one message", "messages")
        }
        guard entries.count <= RequestFields.maxMessages else {
            throw APIError.invalid(
                "there are \(entries.count) messages; at most \(RequestFields.maxMessages) are taken", "messages")
        }
        for (index, entry) in entries.enumerated() { try read(entry, at: "messages[\(index)]") }
    }

    private mutating func append(_ message: ChatMessage, _ place: String) {
        messages.append(message)
        places.append(place)
    }

    private mutating func read(_ entry: JSONValue, at place: String) throws {
        guard let object = entry.object else {
            throw APIError.invalid("\(place) is \(entry.kind); expected an object", place)
        }
        let content = object["content"] ?? .null
        switch object["role"]?.string {
        case "user": try readUser(try Self.blocks(content, at: "\(place).content"), "\(place).content")
        case "assistant": try readAssistant(try Self.blocks(content, at: "\(place).content"), "\(place).content")
        case "system":
            append(
                ChatMessage(role: .system, textContent: try text(content, at: "\(place).content")),
                "\(place).content")
        case let other:
            throw APIError.invalid(
                "\(place).role is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'user' or 'assistant'",
                "\(place).role")
        }
    }

    /// The blocks of a content; a text is one.
    private static func blocks(_ content: JSONValue, at place: String) throws(APIError) -> [JSONValue] {
        if let text = content.string { return [.object(["type": "text", "text": .string(text)])] }
        guard let blocks = content.array else {
            throw .invalid("\(place) is \(content.kind); expected a string or an array of blocks", place)
        }
        return blocks
    }

    /// The text of a content that has no use for blocks of other kinds.
    private mutating func text(_ content: JSONValue, at place: String) throws(APIError) -> String {
        var texts: [String] = []
        for (index, block) in try Self.blocks(content, at: place).enumerated() {
            if block["type"]?.string == "text" {
                texts.append(try Self.text(block, "\(place)[\(index)]"))
            } else {
                try leaveOut(block, "\(place)[\(index)]")
            }
        }
        return texts.joined(separator: "\n\n")
    }

    /// The text of a block of text.
    private static func text(_ block: JSONValue, _ place: String) throws(APIError) -> String {
        guard let text = block["text"]?.string else {
            throw .invalid("\(place).text is missing; expected a string", "\(place).text")
        }
        return text
    }

    /// Notes a block of a type that has no place here.
    ///
    /// - Throws: ``APIError`` where it has no type.
    private mutating func leaveOut(_ block: JSONValue, _ place: String) throws(APIError) {
        guard let type = block["type"]?.string else {
            throw .invalid("\(place).type is missing; expected the type of a block", "\(place).type")
        }
        leftOut.append("\(place).type=\(type)")
    }

    // MARK: Messages of the user

    /// Results come first, as they answer the calls before; what else is said follows them.
    private mutating func readUser(_ blocks: [JSONValue], _ place: String) throws {
        var parts: [ChatMessageContent] = []
        for (index, block) in blocks.enumerated() {
            let place = "\(place)[\(index)]"
            if block["type"]?.string == "tool_result" {
                append(try result(block, place), "\(place).content")
            } else {
                let more = try self.parts(block, place)
                // Blocks are apart there; templates put parts together with nothing between them.
                if parts.last?.text != nil, more.first?.text != nil { parts.append(.text("\n")) }
                parts += more
            }
        }
        if !parts.isEmpty || blocks.isEmpty { append(ChatMessage(role: .user, content: parts), place) }
    }

    private mutating func result(_ block: JSONValue, _ place: String) throws -> ChatMessage {
        guard let id = block["tool_use_id"]?.string else {
            throw APIError.invalid(
                "\(place).tool_use_id is missing; expected the id of a tool_use block", "\(place).tool_use_id")
        }
        var parts: [ChatMessageContent] = []
        if let content = block["content"], content != .null {
            for (index, block) in try Self.blocks(content, at: "\(place).content").enumerated() {
                let place = "\(place).content[\(index)]"
                if let name = block["tool_name"]?.string, block["type"] == "tool_reference" {
                    // A tool that was found by a search among tools.
                    parts.append(.text(name))
                } else if Self.isUnreadable(block) {
                    // A program that looked into a file does not ask for its pages.
                    parts.append(.text("(a document that is no text, which is not read)"))
                    leftOut.append("\(place).type=document")
                } else {
                    parts += try self.parts(block, place)
                }
            }
        }
        // No template has a place for it, and the model is to know.
        if block["is_error"]?.bool == true { parts.insert(.text("Error: "), at: 0) }
        var message = ChatMessage(role: .tool, content: parts, toolCallId: id)
        message.name = calls[id]
        return message
    }

    /// Returns the content for the model of a block of a user or of a result; nothing for one that is left out.
    private mutating func parts(_ block: JSONValue, _ place: String) throws -> [ChatMessageContent] {
        switch block["type"]?.string {
        case "text":
            let text = try Self.text(block, place)
            return text.isEmpty ? [] : [.text(text)]
        case "image":
            return [try Self.image(block, place)]
        case "document", "search_result": return [.text(try document(block, place))]
        default:
            if let text = HostedBlock.text(of: block) { return [.text(text)] }
            try leaveOut(block, place)
            return []
        }
    }

    /// Returns whether a block is a document that has no text.
    private static func isUnreadable(_ block: JSONValue) -> Bool {
        let source = block["source"]?["type"]?.string
        return block["type"] == "document" && source != "text" && source != "content"
    }

    /// A picture in Base64, or at an address.
    private static func image(_ block: JSONValue, _ place: String) throws -> ChatMessageContent {
        let source = block["source"]?.object ?? [:]
        switch source["type"]?.string {
        case "base64":
            guard let data = source["data"]?.string, let type = source["media_type"]?.string else {
                throw APIError.invalid("\(place).source needs 'media_type' and 'data'", "\(place).source")
            }
            return try RequestFields.read(place) { try .image(base64: data, mediaType: type, place: $0) }
        case "url":
            guard let url = source["url"]?.string else {
                throw APIError.invalid("\(place).source.url is missing; expected a string", "\(place).source.url")
            }
            return try RequestFields.read(place) { try .image(address: url, place: $0) }
        case let other:
            throw APIError.invalid(
                "\(place).source.type is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'base64' or 'url'",
                "\(place).source.type", code: "unsupported_content")
        }
    }

    /// The text of a document or of something that was found, with its title.
    private mutating func document(_ block: JSONValue, _ place: String) throws(APIError) -> String {
        let title = block["title"]?.string.map { $0 + "\n\n" } ?? ""
        if block["type"]?.string == "search_result" {
            return title + (try text(block["content"] ?? .null, at: "\(place).content"))
        }
        let source = block["source"]?.object ?? [:]
        switch source["type"]?.string {
        case "text":
            guard let data = source["data"]?.string else {
                throw .invalid("\(place).source.data is missing; expected a string", "\(place).source.data")
            }
            return title + data
        case "content": return title + (try text(source["content"] ?? .null, at: "\(place).source.content"))
        default:
            throw .invalid(
                "\(place) is a document that is not text, which this server does not read: send its text, or its pages as pictures",
                place, code: "unsupported_content")
        }
    }

    // MARK: Messages of the assistant

    private mutating func readAssistant(_ blocks: [JSONValue], _ place: String) throws {
        var (text, reasoning) = ("", "")
        let leftOutBefore = leftOut.count
        var made: [LeapFunctionCall] = []
        for (index, block) in blocks.enumerated() {
            let place = "\(place)[\(index)]"
            switch block["type"]?.string {
            case "text": text += block["text"]?.string ?? ""
            case "thinking": reasoning += block["thinking"]?.string ?? ""
            // Nobody but its maker can read it.
            case "redacted_thinking": break
            case "tool_use":
                guard let name = block["name"]?.string, let id = block["id"]?.string else {
                    throw APIError.invalid("\(place) needs 'id' and 'name'", place)
                }
                calls[id] = name
                let call = OpenAI.ToolCall(id: id, name: name, input: block["input"] ?? .object([:]))
                made.append(try RequestFields.read(place) { try LeapFunctionCall(call, place: $0) })
            default:
                if let told = HostedBlock.text(of: block) {
                    text += told + "\n"
                } else {
                    try leaveOut(block, place)
                }
            }
        }
        // Of a turn of hosted tools alone nothing is left.
        if text.isEmpty, reasoning.isEmpty, made.isEmpty, leftOut.count > leftOutBefore { return }
        var message = ChatMessage(role: .assistant, content: text.isEmpty ? [] : [.text(text)])
        if !reasoning.isEmpty { message.reasoningContent = reasoning }
        if !made.isEmpty { message.functionCalls = made }
        append(message, place)
    }
}
