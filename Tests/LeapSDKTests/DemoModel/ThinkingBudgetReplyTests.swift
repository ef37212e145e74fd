import LeapSDK
import Testing

/// A limit of thoughts in replies of a real model.
struct ThinkingBudgetReplyTests {
    private static let question = "Tom has 3 apples and gets 4 more. How many apples does Tom have?"

    private static func reply(
        _ change: (GenerationOptions) -> Void = { _ in }
    ) async throws -> (reasoning: String, text: String, stats: GenerationStats) {
        let runner = try await DemoModel.runner.value
        let options = DemoModel.greedy.with(enableThinking: true)
        change(options)
        let reply = try await runner.createConversation(systemPrompt: nil)
            .generateResponse(userTextMessage: question, generationOptions: options).collect()
        return (reply.reasoning, reply.text, try #require(reply.completion?.stats))
    }

    @Test("Below the limit the reply is the same; at the limit thoughts end, and an answer without marks comes")
    func budget() async throws {
        let free = try await Self.reply()
        #expect(free.stats.thinkingTokens > 2 && !free.stats.wasThinkingCut)
        let loose = try await Self.reply { $0.thinkingBudget = 1000 }
        #expect(loose.text == free.text && loose.reasoning == free.reasoning && !loose.stats.wasThinkingCut)
        #expect(loose.stats.thinkingTokens == free.stats.thinkingTokens)
        for limit in [0, 1] {
            let tight = try await Self.reply {
                $0.thinkingBudget = limit
                $0.maxTokens = 60
            }
            #expect(tight.stats.wasThinkingCut && tight.stats.thinkingTokens == Int64(limit))
            #expect(tight.reasoning.count < free.reasoning.count && !tight.text.contains("think>"))
        }
    }

    @Test("The message stands at the end of thoughts, which may have a sentence more with grace")
    func message() async throws {
        let message = "I answer now."
        let tight = try await Self.reply {
            $0.thinkingBudget = 1
            $0.thinkingBudgetMessage = message
            $0.maxTokens = 60
        }
        #expect(tight.reasoning.hasSuffix(message) && !tight.text.contains(message))
        let graced = try await Self.reply {
            $0.thinkingBudget = 1
            $0.thinkingGrace = 200
        }
        #expect(graced.stats.thinkingTokens > 1)
    }

    @Test("The keys of the extras are the properties, and wrong values are errors that name them")
    func extras() async throws {
        let tight = try await Self.reply {
            $0.extras = #"{"thinkingBudget": 0, "thinkingBudgetScope": "block"}"#
            $0.maxTokens = 60
        }
        #expect(tight.stats.wasThinkingCut)
        for (extras, name) in [
            (#"{"thinkingBudget": -1}"#, "thinkingBudget"), (#"{"thinkingGrace": 0.5}"#, "thinkingGrace"),
            (#"{"thinkingBudgetScope": "word"}"#, "thinkingBudgetScope"),
        ] {
            await #expect { _ = try await Self.reply { $0.extras = extras } } throws: { error in
                error.localizedDescription.contains(name)
            }
        }
        await #expect(throws: LeapGenerationException.self) { _ = try await Self.reply { $0.thinkingBudget = -1 } }
        let long = String(repeating: "a", count: 4097)
        await #expect { _ = try await Self.reply { $0.thinkingBudgetMessage = long } } throws: { error in
            error.localizedDescription.contains("thinkingBudgetMessage")
        }
    }

    @Test("With a schema the answer follows it behind thoughts that were ended")
    func schema() async throws {
        let tight = try await Self.reply {
            $0.thinkingBudget = 1
            $0.jsonSchemaConstraint =
                #"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#
            $0.maxTokens = 80
        }
        #expect(tight.text.hasPrefix("{") && tight.text.hasSuffix("}"))
        #expect(tight.stats.thinkingTokens <= 1)
    }

    @Test("Proposals change nothing: the limit is kept, and the reply is the same")
    func speculation() async throws {
        var texts: [String] = []
        for mode in ["off", "lookup"] {
            let reply = try await Self.reply {
                $0.extras = #"{"speculation": "\#(mode)"}"#
                $0.thinkingBudget = 3
                $0.maxTokens = 60
            }
            #expect(reply.stats.wasThinkingCut && reply.stats.thinkingTokens == 3)
            texts.append(reply.reasoning + reply.text)
        }
        #expect(texts[0] == texts[1])
    }

    @Test("Ended by hand, a reply stops thinking and answers; the next turn computes only what is new")
    func byHand() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = DemoModel.greedy.with(enableThinking: true).with(maxTokens: 60)
        let replies = conversation.generateResponse(userTextMessage: Self.question, generationOptions: options)
        conversation.endThinking()
        let completion = try await replies.collect().completion
        let stats = try #require(completion?.stats)
        #expect(stats.wasThinkingCut && stats.thinkingTokens < 10)
        let second = try await conversation.generateResponse(
            userTextMessage: "What is the capital of France?", generationOptions: DemoModel.greedy
        ).collect()
        #expect((second.completion?.stats?.reusedPromptTokens ?? 0) > 0)
    }
}
