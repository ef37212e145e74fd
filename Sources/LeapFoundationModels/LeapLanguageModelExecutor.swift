#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(FoundationModels, _version: 2))
    public import Foundation
    public import FoundationModels
    public import LeapCore

    /// Generates replies for sessions with a ``LeapLanguageModel``.
    ///
    /// FoundationModels creates an executor for each session; executors of equal configurations share one model.
    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    public struct LeapLanguageModelExecutor: LanguageModelExecutor {
        /// The type that describes the model.
        public typealias Model = LeapLanguageModel

        /// The model's file, and its options.
        public struct Configuration: Hashable, Sendable {
            /// The URL of the model's file.
            public let url: URL
            /// The options for running it; nil for the defaults of the model and the machine.
            public let options: LiquidInferenceEngineOptions?

            /// Creates a configuration.
            public init(url: URL, options: LiquidInferenceEngineOptions? = nil) {
                self.url = url
                self.options = options
            }

            /// The options with a cache in memory, unless they say what is kept.
            ///
            /// Each request brings the whole transcript: without a cache all of it would be computed again.
            var loadOptions: LiquidInferenceEngineOptions {
                let options = options ?? LiquidInferenceEngineOptions(bundlePath: url.path)
                guard options.cacheOptions == nil else { return options }
                return options.with(cacheOptions: LiquidCacheOptions(path: "", enabled: true))
            }
        }

        let loaded: LoadedModel

        /// Creates an executor, without loading the model.
        public init(configuration: Configuration) throws {
            loaded = LoadedModels.shared.model(for: configuration)
        }

        /// Loads the model and computes the transcript with its tools, so that the next request computes only what is
        /// new.
        ///
        /// It returns at once; requests wait for it. If prewarming fails, the request fails in the same way and reports
        /// the error.
        public func prewarm(model: LeapLanguageModel, transcript: Transcript) {
            let loaded = loaded
            loaded.prewarm {
                do {
                    let runner = try await loaded.runner()
                    var messages = loaded.recall(try transcript.leapMessages())
                    guard !messages.isEmpty else { return }
                    // A prompt ends with a message to answer; the cache keeps what stands before it.
                    if messages.last?.role != .user { messages.append(ChatMessage(role: .user, textContent: "?")) }
                    let conversation = runner.createConversationFromHistory(history: messages)
                    let functions = try transcript.toolDefinitions.map(SchemaText.function)
                    conversation.registerFunctions(functions)
                    let options = LeapCore.GenerationOptions()
                    options.maxTokens = 1
                    options.further.toolChoice = .free(functions)
                    for try await _ in conversation.regenerateResponse(generationOptions: options).throwing {}
                } catch {
                    // The request fails in the same way, and it can tell the app.
                }
            }
        }

        /// Generates the answer to a transcript.
        nonisolated(nonsending) public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: LeapLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let schemaName = request.schema.map { _ in "response" }
            do {
                await loaded.prewarmed()
                let runner = try await loaded.runner()
                let settings = try ReplySettings(request, model: model)
                let messages = try request.transcript.leapMessages()
                guard let last = messages.last, last.role != .assistant, last.role != .system else {
                    throw LanguageModelError.unsupportedTranscriptContent(
                        .init(
                            unsupportedContent: Array(request.transcript.suffix(1)),
                            debugDescription:
                                "the transcript ends without a prompt or a tool's output: there is nothing to answer"
                        ))
                }
                let conversation = loaded.conversation(of: messages, functions: settings.functions, runner: runner)
                var reply = ReplyRelay(channel: channel)
                for try await response in conversation.regenerateResponse(generationOptions: settings.options).throwing
                {
                    try Task.checkCancellation()
                    await reply.take(response)
                }
                try Task.checkCancellation()
                guard let completion = reply.completion else { return }
                loaded.remember(reply.message, origin: completion.message)
                loaded.keep(conversation, messages: messages + [reply.message])
                if case .contextSize(let size)? = completion.limit {
                    throw LanguageModelError.contextSizeExceeded(
                        .init(
                            contextSize: size, tokenCount: size,
                            debugDescription: "the context of \(size) tokens was full before the reply ended"))
                }
            } catch {
                throw Self.mapped(error, schemaName: schemaName)
            }
        }

        /// FoundationModels' error for one of this SDK; others as they are.
        static func mapped(_ error: any Error, schemaName: String?) -> any Error {
            switch error {
            case let error as LeapGenerationPromptExceedContextLengthException:
                return LanguageModelError.contextSizeExceeded(
                    .init(
                        contextSize: error.availableTokens, tokenCount: error.neededTokens,
                        debugDescription: error.message))
            case let error as LeapGeneratableSchematizationException:
                return LanguageModelError.unsupportedGenerationGuide(
                    .init(schemaName: schemaName, debugDescription: error.message))
            case let error as LeapException:
                if let cause = error.cause as? LeapGeneratableSchematizationException {
                    return mapped(cause, schemaName: schemaName)
                }
                return error
            default: return error
            }
        }
    }

    @available(macOS 27.0, iOS 27.0, visionOS 27.0, watchOS 27.0, *)
    extension Transcript {
        /// The tools that the instructions define.
        fileprivate var toolDefinitions: [ToolDefinition] {
            for case .instructions(let instructions) in self { return instructions.toolDefinitions }
            return []
        }
    }
#endif
