import Foundation
import LeapDemoModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// The part of a prompt that is known after another one was answered: what both begin with, less 63 tokens at most, as
/// a model with convolutions can go on only where the inputs of these are kept.
@Suite(.inTurns)
struct CacheMatrixTests {
    /// A prompt: a history and the functions.
    private struct Prompt {
        var history: [ChatMessage]
        var functions: [LeapFunction] = []
        /// A chat template over the model's own.
        var template: String?
    }

    /// The difference of a prompt from the first one.
    private enum Change: String, CaseIterable {
        case none, append, editInTheMiddle, editTheSystemPrompt, changeTools, changeTemplate
    }

    /// Changes, each in memory and on disk.
    private static let cases: [(String, Bool)] =
        TestLevel.isAll
        ? Change.allCases.map { ($0.rawValue, false) } + Change.allCases.map { ($0.rawValue, true) }
        : [(Change.append.rawValue, true), (Change.changeTools.rawValue, false)]

    private static func message(_ role: ChatMessageRole, _ text: String, times: Int = 1) -> ChatMessage {
        ChatMessage(role: role, textContent: String(repeating: text, count: times))
    }

    private static func prompt(_ change: Change) -> Prompt {
        var prompt = Prompt(history: [
            message(.system, "Answer in one sentence about the town. ", times: 9),
            message(.user, "Rain fell on the hill. ", times: 9), message(.assistant, "A boat left. ", times: 9),
            message(.user, "The fox runs over the bridge. ", times: 9),
        ])
        switch change {
        case .none: break
        case .append: prompt.history += [message(.assistant, "Yes."), message(.user, "And then? ", times: 9)]
        case .editInTheMiddle: prompt.history[1] = message(.user, "Rain fell on the hill. ", times: 8)
        case .editTheSystemPrompt: prompt.history[0] = message(.system, "Be brief. ", times: 9)
        case .changeTools: prompt.functions = [LeapFunctionTests.weather]
        case .changeTemplate:
            prompt.template = "{% for message in messages %}[{{ message.role }}] {{ message.content }}\n{% endfor %}"
        }
        return prompt
    }

    private func runner(_ folder: String?, template: String?) async throws -> LiquidInferenceEngineRunner {
        try await ModelLoader.load(
            files: ModelFiles(modelPath: try LeapDemoModel.url.path),
            options: LiquidInferenceEngineOptions(
                cacheOptions: LiquidCacheOptions(path: folder ?? "", enabled: true, diskDisabled: folder == nil),
                cpuThreads: 1, chatTemplate: template
            ).options,
            generationTimeParameters: nil, autoDetectCompanionFiles: false)
    }

    /// Answers a prompt in a conversation of its own; gives its tokens, how many of them were known, and the text.
    private func answer(
        _ prompt: Prompt, _ runner: LiquidInferenceEngineRunner
    ) async throws -> (tokens: [TokenID], known: Int, text: String) {
        let builder = try runner.promptSource().builder
        let request = try PromptRequest(
            chat: prompt.history, functions: prompt.functions, parser: LeapFunctionCallParser.automatic,
            enableThinking: false)
        let conversation = runner.createConversationFromHistory(history: Array(prompt.history.dropLast()))
        conversation.registerFunctions(prompt.functions)
        let message = try #require(prompt.history.last)
        let responses = try await conversation.generateResponse(
            message: message, generationOptions: GenerationOptions(temperature: 0, maxTokens: 6)
        ).collect()
        let stats = try #require(responses.completion?.stats)
        let tokens = try builder.build(request).tokens
        #expect(Int(stats.computedPromptTokens + stats.reusedPromptTokens) == tokens.count)
        #expect(Int(stats.promptTokens + stats.cachedPromptTokens) == tokens.count)
        return (tokens, Int(stats.reusedPromptTokens), responses.text)
    }

    @Test(
        "What two prompts begin with is computed once, in memory and in another run, and the answer is that of a cold run",
        arguments: cases)
    func matrix(change name: String, onDisk: Bool) async throws {
        let change = try #require(Change(rawValue: name))
        let folder = try TemporaryFolder()
        let path = onDisk ? folder.url.path : nil
        let (first, second) = (Self.prompt(.none), Self.prompt(change))

        let cold = try await runner(nil, template: second.template)
        let expected = try await answer(second, cold)
        #expect(expected.known == 0)
        await cold.unload()

        // Another template is another load, so in memory there is nothing to find.
        let one = try await runner(path, template: first.template)
        let base = try await answer(first, one)
        let two = onDisk || change == .changeTemplate ? try await runner(path, template: second.template) : one
        if onDisk { await one.unload() }
        let found = try await answer(second, two)
        await two.unload()

        let shared = zip(base.tokens, found.tokens).prefix { $0 == $1 }.count
        let reusable = change == .changeTemplate && !onDisk ? 0 : min(shared, found.tokens.count - 1)
        #expect(found.known <= reusable && found.known > reusable - 64, "\(found.known) known of \(shared) shared")
        #expect(found.text == expected.text)
        switch change {
        case .none: #expect(shared == base.tokens.count)
        case .append: #expect(shared > base.tokens.count - 64)
        case .editInTheMiddle: #expect(shared > 128 && shared < base.tokens.count - 64)
        // The definitions of functions stand behind the system message's text.
        case .changeTools: #expect(shared > 64 && shared < base.tokens.count - 128)
        case .editTheSystemPrompt, .changeTemplate: #expect(shared < 64)
        }
    }
}
