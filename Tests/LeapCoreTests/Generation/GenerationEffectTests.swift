import LeapBase
import LeapEngine
import LeapGrammar
import LeapJSON
import LeapModel
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// The effects of a generation's options and extras, where no other suite shows them.
@Suite(.inTurns)
struct GenerationEffectTests {
    /// Writes one of its variables.
    private struct VariableFormatter: PromptFormatter {
        let origin = "variable"
        let traits = PromptTraits(takesTools: true, takesToolCalls: false, takesReasoning: false)
        let turnEnds: [String] = []
        func render(_ context: PromptContext) throws -> String {
            "mood: \(context.variables["mood"]?.string ?? "none")"
        }
    }

    private func prompt(_ options: GenerationOptions, builder: PromptBuilder = DemoVocabulary.builder) async throws
        -> String
    {
        let (runner, backend) = DemoVocabulary.runner(["{}"], builder: builder)
        _ = try await runner.createConversation().generateResponse(
            userTextMessage: "Hi", generationOptions: options
        ).collect()
        return DemoVocabulary.tokenizer.decode(try #require(backend.requests.withLock { $0.first }).prompt)
    }

    @Test("The schema is shown to the model unless that is turned off")
    func injectSchemaIntoPrompt() async throws {
        let options = GenerationOptions().with(jsonSchema: #"{"type":"object"}"#)
        #expect(try await prompt(options).contains(#"{"type":"object"}"#))
        #expect(try await !prompt(options.with(injectSchemaIntoPrompt: false)).contains(#"{"type":"object"}"#))
    }

    @Test("Arguments in the extras reach the chat format")
    func chatTemplateArguments() async throws {
        let builder = PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: VariableFormatter())
        let options = GenerationOptions(extras: #"{"chatTemplateArguments":{"mood":"calm"}}"#)
        #expect(try await prompt(options, builder: builder).hasSuffix("mood: calm"))
        #expect(try await prompt(GenerationOptions(), builder: builder).hasSuffix("mood: none"))
    }

    @Test("Stop sequences and the policy for long prompts may stand in the extras")
    func stopAndContextOverflow() async throws {
        let (runner, _) = DemoVocabulary.runner(["one two three", "fine"], contextSize: 100)
        let stopped = try await runner.createConversation().generateResponse(
            userTextMessage: "x", generationOptions: GenerationOptions(extras: #"{"stop":" three"}"#)
        ).collect()
        #expect(stopped.text == "one two")
        let history = (0..<20).map { ChatMessage(role: $0 % 2 == 0 ? .user : .assistant, textContent: "message \($0)") }
        let trimmed = try await runner.createConversationFromHistory(history: history).generateResponse(
            userTextMessage: "x",
            generationOptions: GenerationOptions(extras: #"{"contextOverflow":"trimOldestTurns"}"#)
        ).collect()
        #expect(trimmed.completion?.trimming != nil)
    }

    @Test("Members that the schema does not name do not come unless objects are open, and then none comes twice")
    func openObjects() throws {
        let library = ConstraintRunTests.library
        let schema = #"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#
        func allows(_ more: String, _ extras: String) throws -> Bool {
            let options = try GenerationExtras.parse(extras).extras.grammarOptions
            let matcher = try library.grammar(.schema(ReplySchema(text: schema), options)).matcher(
                vocabulary: library.vocabulary)
            #expect(matcher.accept(bytes: Array(#"{"a": 1"#.utf8)))
            return matcher.accept(bytes: Array(more.utf8))
        }
        for extras in ["{}", #"{"openObjects":false}"#, ""] {
            #expect(try !allows(#", "b": 2}"#, extras) && allows("}", extras), "\(extras)")
        }
        let open = #"{"openObjects":true}"#
        #expect(try allows(#", "b": 2}"#, open) && allows(#", "b": 2, "c": 2}"#, open))
        for again in [#", "b": 2, "b": 2}"#, #", "b": 2, "\u0062": 2}"#, #", "a": 2}"#] {
            #expect(try !allows(again, open), "\(again)")
        }
        let error = #expect(throws: LeapGenerationException.self) {
            try GenerationExtras.parse(#"{"openObjects":1}"#)
        }
        #expect(error?.message.contains("openObjects") == true)
    }

    @Test("White space between values may be excluded")
    func whitespace() throws {
        let library = ConstraintRunTests.library
        let tokenizer = DemoVocabulary.tokenizer
        func allowsSpace(_ extras: String) throws -> Bool {
            let options = try GenerationExtras.parse(extras).extras.grammarOptions
            let schema = #"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#
            var constraint = ReplyTokenConstraint(
                ReplyTokenConstraint.Plan(
                    grammar: try library.grammar(.schema(ReplySchema(text: schema), options)),
                    vocabulary: library.vocabulary,
                    tokenizer: tokenizer, endTokens: library.endTokens, budget: 100))
            for token in tokenizer.encode(#"{"a":"#, addSpecial: false) { try constraint.accept(token) }
            var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            return mask.tokens.contains { tokenizer.bytes(of: $0).first == 0x20 }
        }
        #expect(try allowsSpace("{}"))
        #expect(try !allowsSpace(#"{"whitespace":"none"}"#))
    }
}
