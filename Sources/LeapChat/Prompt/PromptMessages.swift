import LeapJSON
import LeapModel

/// Puts messages into the shape that prompt formats take.
struct PromptMessages {
    let traits: PromptTraits
    /// Writes calls where the format has no place for them.
    let parser: any LeapFunctionCallParserProtocol
    /// nil leaves text as it is.
    let literals: LiteralMarker?

    /// The messages as objects, with text from outside marked where it spells special tokens.
    func objects(_ messages: [ChatMessage]) -> [JSONObject] {
        var callIDs: [String] = []
        return messages.enumerated().map { index, message in
            switch message.role {
            case .assistant:
                let object = assistant(message, index: index)
                callIDs = object["tool_calls"]?.array?.compactMap { $0.object?["id"]?.string } ?? []
                return object
            case .tool:
                guard traits.takesToolRole else {
                    let text = "<tool_response>\n\(content(of: message, mark: { mark($0) }))\n</tool_response>"
                    return ["role": "user", "content": .string(text)]
                }
                var object: JSONObject = [
                    "role": "tool", "content": .string(content(of: message, mark: { mark($0) })),
                ]
                let next = callIDs.isEmpty ? nil : callIDs.removeFirst()
                // The calls' ids are marked already.
                if let id = message.toolCallId.map({ mark($0) }) ?? next { object["tool_call_id"] = .string(id) }
                if let name = message.name { object["name"] = .string(mark(name)) }
                return object
            case .user, .system:
                // The system message is the app's own and may hold special tokens.
                var object: JSONObject = [
                    "role": .string(message.role.rawValue),
                    "content": .string(
                        content(of: message) { message.role == .user ? mark($0) : (literals?.clean($0) ?? $0) }),
                ]
                if let name = message.name { object["name"] = .string(mark(name)) }
                return object
            }
        }
    }

    private func mark(_ text: String, except: [String] = []) -> String { literals?.mark(text, except: except) ?? text }
    private func mark(_ value: JSONValue) -> JSONValue { literals?.mark(value) ?? value }

    /// Parts are told apart by a line end.
    private func text(of message: ChatMessage) -> String {
        message.content.compactMap(\.text).joined(separator: "\n")
    }

    /// Text that is marked, with marks in the places of pictures, sounds and videos.
    ///
    /// Nothing is put between these and text.
    private func content(of message: ChatMessage, mark: (String) -> String) -> String {
        var content = ""
        var isBehindText = false
        for part in message.content {
            switch part {
            case .text(let text):
                content += (isBehindText ? "\n" : "") + mark(text)
                isBehindText = true
            case .image, .audio, .video:
                content += part.medium.flatMap { LiteralMarker.mark(of: $0) } ?? ""
                isBehindText = false
            }
        }
        return content
    }

    private func assistant(_ message: ChatMessage, index: Int) -> JSONObject {
        // The codes that it was said with are all that the model wrote.
        if !message.media.isEmpty { return ["role": "assistant", "content": .string(LiteralMarker.speech)] }
        let calls = message.functionCalls ?? []
        var reasoning = message.reasoningContent ?? ""
        let marks = ["<think>", "</think>"] + CallMarks(parser).all
        var object: JSONObject = ["role": "assistant"]

        let putsReasoningIn = !traits.takesReasoning && traits.takesInlineReasoning && !reasoning.isEmpty
        let dropsReasoning = !traits.takesReasoning && !traits.takesInlineReasoning && !reasoning.isEmpty
        let putsCallsIn = !traits.takesToolCalls && !calls.isEmpty
        let isWhole = (putsReasoningIn || dropsReasoning || reasoning.isEmpty) && (putsCallsIn || calls.isEmpty)
        // What the model wrote, to the letter, so that its kept state matches.
        let written = isWhole ? message.origin.map(\.rawText) : nil
        var content = text(of: message)
        if let written = dropsReasoning ? written.flatMap(Self.withoutReasoning) : written {
            content = written
        } else {
            if traits.takesReasoning || dropsReasoning, !reasoning.isEmpty, let rest = Self.withoutReasoning(content) {
                content = rest
            } else if putsReasoningIn, !Self.beginsWithReasoning(content) {
                content = "<think>\(reasoning)</think>\(content)"
            }
            if putsCallsIn { content += parser.dump(calls) }
        }
        if !traits.takesTextBesideReasonedCalls, traits.takesReasoning, !calls.isEmpty, !reasoning.isEmpty,
            !content.isEmpty
        {
            reasoning += "\n\n" + content
            content = ""
        }
        object["content"] = .string(mark(content, except: marks))
        if traits.takesReasoning, !reasoning.isEmpty {
            let text = JSONValue.string(mark(reasoning))
            object["reasoning_content"] = text
            object["thinking"] = text
        }
        if traits.takesToolCalls, !calls.isEmpty {
            object["tool_calls"] = .array(
                calls.enumerated().map {
                    let id = "call_\(index)_\($0)"
                    return mark(traits.takesObjectArguments ? $1.templateValue(defaultID: id) : $1.json(defaultID: id))
                })
        }
        return object
    }

    private static func beginsWithReasoning(_ text: String) -> Bool {
        text.drop(while: \.isWhitespace).hasPrefix("<think>")
    }

    /// Returns a text without the reasoning that it begins with; nil where it begins with none.
    private static func withoutReasoning(_ text: String) -> String? {
        guard beginsWithReasoning(text), let end = text.firstRange(of: "</think>") else { return nil }
        return String(text[end.upperBound...].drop(while: \.isNewline))
    }
}
