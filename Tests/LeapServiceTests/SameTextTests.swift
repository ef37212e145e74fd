#if ModelService
    import LeapCore
    import LeapSDK
    import LeapTestSupport
    import Testing

    @testable import LeapService

    @Suite(.timeLimit(.minutes(30)))
    struct SameTextTests {
        static let tram = LeapFunction(
            name: "next_trams", description: "Departures of the next trams from a stop",
            parameters: [
                LeapFunctionParameter(name: "stop", type: .string(StringType()), description: "Name of the stop")
            ])

        /// The most tokens of a reply whose end nothing else brings.
        private static let length: Int32 = TestLevel.isAll ? 80 : 20

        /// Kinds of generations, with everything that may travel.
        static let kinds: [(name: String, options: @Sendable () -> GenerationOptions)] = [
            ("plain", { GenerationOptions(temperature: 0, maxTokens: length) }),
            (
                "drawn",
                {
                    GenerationOptions(
                        temperature: 0.9, topP: 0.95, minP: 0.01, repetitionPenalty: 1.1, topK: 50, rngSeed: 42,
                        maxTokens: length)
                }
            ),
            ("thinking", { GenerationOptions(temperature: 0.7, rngSeed: 3, maxTokens: length, enableThinking: true) }),
            (
                "schema",
                {
                    GenerationOptions(
                        temperature: 0.7, rngSeed: 5,
                        jsonSchemaConstraint:
                            #"{"type":"object","properties":{"city":{"type":"string","maxLength":12},"year":{"type":"integer"}},"required":["city","year"],"additionalProperties":false}"#,
                        maxTokens: 80)
                }
            ),
            (
                "regex",
                {
                    GenerationOptions(
                        temperature: 0.7, rngSeed: 6, maxTokens: 40, extras: #"{"regex":"[a-z]{3,9}(, [a-z]{3,9}){2}"}"#
                    )
                }
            ),
            (
                "tools",
                {
                    GenerationOptions(
                        temperature: 0.7, rngSeed: 8, maxTokens: 80, extras: #"{"toolChoice":"required"}"#)
                }
            ),
            (
                "hermes tools",
                {
                    GenerationOptions(
                        temperature: 0.7, rngSeed: 8, functionCallParser: HermesFunctionCallParser(), maxTokens: 80,
                        extras: #"{"toolChoice":"next_trams"}"#)
                }
            ),
            (
                "likelihoods",
                {
                    GenerationOptions(
                        temperature: 0.9, rngSeed: 9, maxTokens: 20, extras: #"{"logprobs":true,"topLogprobs":3}"#)
                }
            ),
            (
                "speculation",
                {
                    GenerationOptions(
                        temperature: 0, maxTokens: length, extras: #"{"speculation":"lookup","frequencyPenalty":0.2}"#)
                }
            ),
            (
                "stop",
                {
                    let options = GenerationOptions(temperature: 0, maxTokens: length)
                    options.stopSequences = ["e"]
                    return options
                }
            ),
        ]

        @Test(
            "A conversation in the service says what it says in this process, event by event",
            arguments: kinds.map(\.name))
        func turns(_ name: String) async throws {
            let kind = try #require(Self.kinds.first { $0.name == name })
            let bench = try ServiceBench()
            let remote = try await bench.load()
            let local = try await ServiceBench.local()
            #expect(remote.isInService)
            #expect(!local.isInService)
            #expect(remote.contextSize == local.contextSize)
            #expect(remote.modelId == local.modelId)
            let conversations = [remote, local].map { $0.createConversation(systemPrompt: "You know trams.") }
            for conversation in conversations { conversation.registerFunction(Self.tram) }
            let questions = ["When does the next tram leave from Main Street?", "And then?", "Say it again."]
            // What is said next does not depend on the kind: two go on at the standard level.
            let goesOn = ["plain", "tools"].contains(name)
            for question in questions.prefix(TestLevel.rounds(goesOn ? 2 : 1, all: 3)) {
                let remoteReply = try await WholeReply(
                    conversations[0].generateResponse(userTextMessage: question, generationOptions: kind.options()))
                let localReply = try await WholeReply(
                    conversations[1].generateResponse(userTextMessage: question, generationOptions: kind.options()))
                #expect(remoteReply == localReply)
                #expect(remoteReply.finish != nil)
                if let call = remoteReply.calls.first {
                    // The functions of an app run in the app.
                    for conversation in conversations {
                        conversation.appendToHistory(
                            message: ChatMessage(role: .tool, content: [.text("In 4 minutes.")], toolCallId: call.id))
                    }
                }
            }
            #expect(conversations[0].history == conversations[1].history)
        }
    }
#endif
