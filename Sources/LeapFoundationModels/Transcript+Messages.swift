#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    import Foundation
    public import FoundationModels
    public import LeapChat

    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    extension Transcript {
        /// Returns the transcript as messages of this SDK.
        ///
        /// Consecutive reasoning, text and calls become one assistant message.
        ///
        /// - Throws: `LanguageModelError.unsupportedCapability` for attachments,
        ///   `LanguageModelError.unsupportedTranscriptContent` for entries of an unknown kind.
        public func leapMessages() throws -> [ChatMessage] {
            var messages: [ChatMessage] = []
            var reply: ChatMessage?
            func endReply() {
                if let message = reply { messages.append(message) }
                reply = nil
            }
            for entry in self {
                switch entry {
                case .instructions(let instructions):
                    endReply()
                    let text = try Self.text(instructions.segments, entry)
                    if !text.isEmpty { messages.append(ChatMessage(role: .system, textContent: text)) }
                case .prompt(let prompt):
                    endReply()
                    messages.append(ChatMessage(role: .user, textContent: try Self.text(prompt.segments, entry)))
                case .reasoning(let reasoning):
                    var message = reply ?? ChatMessage(role: .assistant, content: [])
                    message.reasoningContent =
                        (message.reasoningContent ?? "") + (try Self.text(reasoning.segments, entry))
                    reply = message
                case .response(let response):
                    var message = reply ?? ChatMessage(role: .assistant, content: [])
                    let text = try Self.text(response.segments, entry)
                    if !text.isEmpty { message.content = [.text(message.text + text)] }
                    reply = message
                case .toolCalls(let calls):
                    var message = reply ?? ChatMessage(role: .assistant, content: [])
                    message.functionCalls =
                        (message.functionCalls ?? [])
                        + (try calls.map {
                            try LeapFunctionCall(name: $0.toolName, argumentsJSON: $0.arguments.jsonString, id: $0.id)
                        })
                    reply = message
                case .toolOutput(let output):
                    endReply()
                    messages.append(
                        ChatMessage(
                            role: .tool, content: [.text(try Self.text(output.segments, entry))], toolCallId: output.id,
                            name: output.toolName))
                @unknown default:
                    throw Self.unsupported(entry, "an entry of an unknown kind")
                }
            }
            endReply()
            return messages
        }

        /// Creates a transcript from a conversation's messages, to continue in a session.
        ///
        /// - Throws: `LanguageModelError.unsupportedCapability` for images and audio.
        public init(leapMessages messages: [ChatMessage]) throws {
            var entries: [Entry] = []
            var names: [String: String] = [:]
            for message in messages {
                guard message.content.allSatisfy({ $0.text != nil }) else {
                    throw LanguageModelError.unsupportedCapability(
                        .init(capability: .vision, debugDescription: "a message has parts that are not text"))
                }
                let segments: [Segment] = message.text.isEmpty ? [] : [.text(TextSegment(content: message.text))]
                switch message.role {
                case .system: entries.append(.instructions(Instructions(segments: segments, toolDefinitions: [])))
                case .user: entries.append(.prompt(Prompt(segments: segments)))
                case .assistant:
                    if let text = message.reasoningContent, !text.isEmpty {
                        entries.append(.reasoning(Reasoning(segments: [.text(TextSegment(content: text))])))
                    }
                    if !segments.isEmpty { entries.append(.response(Response(assetIDs: [], segments: segments))) }
                    let calls = try (message.functionCalls ?? []).map { call in
                        let id = call.id ?? UUID().uuidString
                        names[id] = call.name
                        return ToolCall(
                            id: id, toolName: call.name, arguments: try GeneratedContent(json: call.argumentsJSON))
                    }
                    if !calls.isEmpty { entries.append(.toolCalls(ToolCalls(calls))) }
                case .tool:
                    let id = message.toolCallId ?? UUID().uuidString
                    entries.append(
                        .toolOutput(
                            ToolOutput(id: id, toolName: message.name ?? names[id] ?? "", segments: segments)))
                }
            }
            self.init(entries: entries)
        }

        private static func text(_ segments: [Segment], _ entry: Entry) throws -> String {
            try segments.map { segment in
                switch segment {
                case .text(let text): return text.content
                case .structure(let structure): return structure.content.jsonString
                case .attachment:
                    throw LanguageModelError.unsupportedCapability(
                        .init(
                            capability: .vision,
                            debugDescription:
                                "the transcript has an attachment; sessions of LeapLanguageModel read text only"))
                @unknown default: throw unsupported(entry, "a segment of an unknown kind")
                }
            }.joined()
        }

        private static func unsupported(_ entry: Entry, _ what: String) -> LanguageModelError {
            .unsupportedTranscriptContent(
                .init(unsupportedContent: [entry], debugDescription: "the transcript has \(what): remove it"))
        }
    }
#endif
