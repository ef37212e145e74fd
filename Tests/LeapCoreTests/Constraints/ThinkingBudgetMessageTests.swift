import Foundation
import LeapBase
import LeapDemoModel
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// The text that ends thoughts at their limit: that of the options, or of the model's family.
@Suite(.inTurns)
struct ThinkingBudgetMessageTests {
    private static let family = "\n\nEnough.\n"

    /// Returns what a reply is made to write behind so many tokens of thoughts.
    private func closing(_ own: String?, family: String?, limit: Int = 2) async throws -> String {
        var builder = DemoVocabulary.builder
        builder.thinkingBudgetMessage = family
        let (runner, backend) = DemoVocabulary.runner(["Yes."], builder: builder)
        let options = GenerationOptions(enableThinking: true)
        options.thinkingBudget = limit
        options.thinkingBudgetMessage = own
        _ = try await runner.createConversation(systemPrompt: nil)
            .generateResponse(userTextMessage: "Hi", generationOptions: options).collect()
        let watch = try #require(backend.requests.withLock { $0.last?.watchReasoning })
        var budget = watch(nil)
        let tokenizer = DemoVocabulary.tokenizer
        let thoughts = tokenizer.encode("I add three and four", addSpecial: false, parseSpecial: false)
        for token in tokenizer.encode("<think>", addSpecial: false, parseSpecial: true) + thoughts.prefix(limit) {
            try budget.accept(token)
        }
        var closing: [TokenID] = []
        while let token = budget.demandedToken {
            closing.append(token)
            try budget.accept(token)
        }
        return tokenizer.decode(closing, skipSpecial: false)
    }

    @Test("The options' text counts first, then the family's; an empty one is none")
    func order() async throws {
        #expect(try await closing(nil, family: nil) == "</think>")
        #expect(try await closing(nil, family: Self.family) == Self.family + "</think>")
        #expect(try await closing("", family: Self.family) == "</think>")
        #expect(try await closing("I stop.", family: Self.family) == "I stop.</think>")
    }

    @Test("Where nothing was thought, the family's text is left out, and that of the options is not")
    func nothing() async throws {
        #expect(try await closing(nil, family: Self.family, limit: 0) == "</think>")
        #expect(try await closing("I stop.", family: Self.family, limit: 0) == "I stop.</think>")
    }

    @Test("A family is known by the architecture in its file; others have no text")
    func families() throws {
        let demo = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
        func text(_ architecture: String) throws -> String? {
            var pairs = demo.pairs.filter { $0.key != "general.architecture" }
            pairs.append(("general.architecture", .string(GGUFString(architecture))))
            return try PromptFormats.builder(
                metadata: GGUFMetadata(pairs), tokenizer: DemoVocabulary.tokenizer, option: nil, manifest: nil,
                path: "family.gguf"
            ).thinkingBudgetMessage
        }
        for name in ["qwen3", "qwen3moe", "qwen35", "gemma4", "gpt-oss"] {
            #expect(try text(name)?.contains(ThinkingBudgetMessages.sentence) == true, "\(name)")
        }
        #expect(try text("qwen3") == "\n\n\(ThinkingBudgetMessages.sentence)\n")
        for name in ["lfm2", "llama", "qwen2", "gemma3"] { #expect(try text(name) == nil, "\(name)") }
    }
}
