#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    import Foundation
    import FoundationModels
    import LeapChat

    /// Passes a reply on to a session, and keeps what was passed on.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    struct ReplyRelay {
        let channel: LanguageModelExecutorGenerationChannel
        /// The reply as the transcript will have it.
        private(set) var message = ChatMessage(role: .assistant, content: [])
        private(set) var completion: MessageCompletion?

        init(channel: LanguageModelExecutorGenerationChannel) { self.channel = channel }

        /// Passes one event on.
        ///
        /// Token counts come with the completion, for the whole reply: a piece of text may be several tokens or a part
        /// of one.
        mutating func take(_ response: MessagePiece) async {
            switch response {
            case .chunk(let text):
                message.content = [.text(message.text + text)]
                await channel.send(.response(action: .appendText(text, tokenCount: 0)))
            case .reasoningChunk(let text):
                message.reasoningContent = (message.reasoningContent ?? "") + text
                await channel.send(.reasoning(action: .appendText(text, tokenCount: 0)))
            case .functionCall(let calls):
                for call in calls {
                    let id = call.id ?? UUID().uuidString
                    if let call = try? LeapFunctionCall(name: call.name, argumentsJSON: call.argumentsJSON, id: id) {
                        message.functionCalls = (message.functionCalls ?? []) + [call]
                    }
                    await channel.send(
                        .toolCalls(
                            action: .toolCall(
                                id: id, name: call.name, action: .appendArguments(call.argumentsJSON, tokenCount: 0))))
                }
            case .complete(let completion):
                self.completion = completion
                await end(completion)
            case .audioSample: break
            }
        }

        private func end(_ completion: MessageCompletion) async {
            let stats = completion.stats ?? GenerationStats(promptTokens: 0, completionTokens: 0, tokenPerSecond: 0)
            let computed = Int(stats.computedPromptTokens)
            let reused = Int(stats.reusedPromptTokens)
            if message.text.isEmpty, message.functionCalls == nil {
                // A session takes a reply without any event for a failure.
                await channel.send(.response(action: .appendText("", tokenCount: 0)))
            }
            typealias Usage = LanguageModelExecutorGenerationChannel.Usage
            let input = Usage.Input(totalTokenCount: computed + reused, cachedTokenCount: reused)
            let output = Usage.Output(
                totalTokenCount: Int(stats.completionTokens), reasoningTokenCount: Int(stats.thinkingTokens))
            if message.functionCalls == nil {
                await channel.send(.response(action: .updateUsage(input: input, output: output)))
            } else {
                await channel.send(.toolCalls(action: .updateUsage(input: input, output: output)))
            }
        }
    }
#endif
