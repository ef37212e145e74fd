import FoundationEssentials
import LeapBase
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct FunctionCallingTests {
    private static let call = #"<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>"#

    @Test("A call is delivered once, has an id, and is on the message")
    func call() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "Let me see." + Self.call)])
        let conversation = runner.createConversation(systemPrompt: "s")
        conversation.registerFunctions([LeapFunctionTests.weather])
        let responses = try await conversation.generateResponse(userTextMessage: "Weather?").collect()
        #expect(responses.text == "Let me see.")
        #expect(
            responses.calls == [LeapFunctionCall(name: "get_weather", arguments: ["city": "Paris"], id: "call_2_0")])
        let message = try #require(responses.completion?.message)
        #expect(message.functionCalls == responses.calls && message.text == "Let me see.")
        #expect(message.functionCalls?.first?.issue == nil)
        let prompt = DemoVocabulary.tokenizer.decode(try #require(backend.requests.withLock { $0.first }).prompt)
        #expect(prompt.contains(#"<|tool_list_start|>[{"name": "get_weather", "description": "Query the weather""#))
    }

    @Test("A call that does not fit is delivered, marked and reported")
    func marked() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: "<|tool_call_start|>[nonsense(x=1)]<|tool_call_end|>")])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        let responses = try await conversation.generateResponse(userTextMessage: "?").collect()
        #expect(responses.calls.first?.issue == "no function named 'nonsense' is registered; there are: get_weather")
        #expect(responses.completion?.issues.map(\.kind) == [.invalidFunctionCall])
    }

    @Test("A call cut off by the token limit stays text and is reported")
    func cutOff() async throws {
        let (runner, _) = DemoVocabulary.runner([
            .init(text: #"Ok. <|tool_call_start|>[get_weather(city="Pa"#, ending: .maxTokens)
        ])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        let responses = try await conversation.generateResponse(
            userTextMessage: "?", generationOptions: GenerationOptions(maxTokens: 9)
        ).collect()
        #expect(responses.text == #"Ok. [get_weather(city="Pa"#)
        #expect(responses.calls.isEmpty && responses.completion?.message.functionCalls == nil)
        #expect(responses.completion?.message.text == responses.text)
        #expect(responses.completion?.issues.map(\.kind) == [.incompleteFunctionCall])
        #expect(responses.completion?.finishReason == .exceedContext)
    }

    @Test("Without functions a reply is text, whatever it looks like; a parser that is set reads it all the same")
    func unasked() async throws {
        let (runner, backend) = DemoVocabulary.runner([
            .init(text: Self.call), .init(text: Self.call), .init(text: Self.call),
        ])
        let conversation = runner.createConversation(systemPrompt: nil)
        let responses = try await conversation.generateResponse(userTextMessage: "Weather?").collect()
        #expect(responses.text == Self.call && responses.calls.isEmpty)
        #expect(responses.completion?.finishReason == .stop && responses.completion?.issues.isEmpty == true)
        let set = GenerationOptions().with(functionCallParser: LFMFunctionCallParser())
        let read = try await conversation.generateResponse(userTextMessage: "Weather?", generationOptions: set)
            .collect()
        #expect(read.calls.map(\.name) == ["get_weather"])
        // What is hidden from the model is not called either.
        conversation.registerFunction(LeapFunctionTests.weather)
        let none = GenerationOptions().with(extras: #"{"toolChoice": "none"}"#)
        let hidden = try await conversation.generateResponse(userTextMessage: "?", generationOptions: none).collect()
        #expect(hidden.calls.isEmpty && backend.requests.withLock { $0.count } == 3)
    }

    @Test(
        "Arguments of earlier calls that are no object are handed to the model as text",
        arguments: [
            #"{\"city\": \"Lis"#, "hello", "[1]",
        ])
    func textArguments(arguments: String) async throws {
        let history = try ChatMessage.messages(
            fromJSON: #"""
                [{"role": "user", "content": "Weather?"},
                 {"role": "assistant", "content": "", "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": "\#(arguments)"}}]},
                 {"role": "tool", "tool_call_id": "c", "content": "24"}]
                """#)
        let (runner, backend) = DemoVocabulary.runner(["Warm."])
        let conversation = runner.createConversationFromHistory(history: history)
        conversation.registerFunction(LeapFunctionTests.weather)
        #expect(try await conversation.generateResponse(userTextMessage: "").collect().text == "Warm.")
        let prompt = DemoVocabulary.tokenizer.decode(try #require(backend.requests.withLock { $0.first }).prompt)
        #expect(prompt.contains("[get_weather(\"\(arguments)\")]"), "\(prompt)")
        // They stay what they are when the history is kept.
        let kept = try ChatMessage.messages(fromJSON: conversation.exportToJSON())
        #expect(kept[1].functionCalls == history[1].functionCalls)
    }

    @Test("Without a parser the raw text is in the chunks")
    func raw() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: Self.call)])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        let options = GenerationOptions()
        options.functionCallParser = nil
        let responses = try await conversation.generateResponse(userTextMessage: "?", generationOptions: options)
            .collect()
        #expect(responses.text == Self.call && responses.calls.isEmpty)
    }

    @Test("Names with hyphens, as tools of other programs have them, are called like any other")
    func hyphens() async throws {
        let call = #"<|tool_call_start|>[list-open-issues(max-results=3, label="bug")]<|tool_call_end|>"#
        let (runner, backend) = DemoVocabulary.runner([.init(text: call), "Three."])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunctions(
            try LeapFunction.functions(
                fromJSON: #"""
                    [{"type": "function", "function": {"name": "list-open-issues", "parameters": {"type": "object",
                        "properties": {"max-results": {"type": "integer"}, "label": {"type": "string"}}}}}]
                    """#))
        let responses = try await conversation.generateResponse(userTextMessage: "?").collect()
        #expect(responses.calls.map(\.name) == ["list-open-issues"] && responses.calls.map(\.issue) == [nil])
        #expect(responses.calls.first?.argumentsJSON == #"{"max-results":3,"label":"bug"}"#)
        conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: "[1, 2, 3]"))
        let answer = try await conversation.generateResponse(userTextMessage: "").collect()
        #expect(answer.text == "Three.")
        let prompt = DemoVocabulary.tokenizer.decode(try #require(backend.requests.withLock { $0.last }).prompt)
        #expect(prompt.contains(#"list-open-issues(max-results=3, label="bug")"#), "\(prompt)")
    }

    @Test("A name that the model's syntax has no place for is spelled otherwise for the model, and itself in calls")
    func unwritableNames() async throws {
        let call = #"<|tool_call_start|>[_3d_print(_filter="blue", first_name="Ada")]<|tool_call_end|>"#
        let (runner, backend) = DemoVocabulary.runner([.init(text: call), "Done.", "Again."])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunctions(
            try LeapFunction.functions(
                fromJSON: #"""
                    [{"type": "function", "function": {"name": "3d print", "parameters": {"type": "object",
                        "properties": {"$filter": {"type": "string"}, "first name": {"type": "string"}},
                        "required": ["$filter"]}}}]
                    """#))
        let options = GenerationOptions().with(extras: #"{"toolChoice": "auto"}"#)
        let responses = try await conversation.generateResponse(userTextMessage: "?", generationOptions: options)
            .collect()
        #expect(responses.calls.map(\.name) == ["3d print"] && responses.calls.map(\.issue) == [nil])
        #expect(responses.calls.first?.argumentsJSON == #"{"$filter":"blue","first name":"Ada"}"#)
        conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: "ok"))
        _ = try await conversation.generateResponse(userTextMessage: "", generationOptions: options).collect()
        // A copy of the history without what the model wrote to the letter has the same spellings.
        let copy = runner.createConversationFromHistory(
            history: try ChatMessage.messages(fromJSON: conversation.exportToJSON()))
        copy.registerFunctions(conversation.functions)
        _ = try await copy.generateResponse(userTextMessage: "Again?", generationOptions: options).collect()
        let prompts = backend.requests.withLock { $0.map { DemoVocabulary.tokenizer.decode($0.prompt) } }
        #expect(prompts[0].contains(#""name": "_3d_print""#) && prompts[0].contains(#""_filter": {"type": "string"}"#))
        #expect(prompts[0].contains(#""required": ["_filter"]"#), "\(prompts[0])")
        for prompt in prompts {
            #expect(!prompt.contains("$filter") && !prompt.contains("3d print"))
        }
        #expect(prompts[1].contains(call) && prompts[2].contains(call), "\(prompts[2])")
    }

    @Test("Control tokens other than marks never reach the text")
    func controlTokens() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(text: "a<|im_start|>b<|fim_mid|>c<|tool_list_end|>")])
        let responses = try await runner.createConversation().generateResponse(userTextMessage: "?").collect()
        #expect(responses.text == "abc")
    }

    @Test("Two functions of one name are an error when the generation starts")
    func badFunctions() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunctions(functions: [LeapFunctionTests.weather, LeapFunctionTests.weather])
        let error = await #expect(throws: LeapGenerationException.self) {
            try await conversation.generateResponse(userTextMessage: "?").collect()
        }
        #expect(error?.message.contains("two functions are named 'get_weather'") == true)
    }

    @Test("The documented loop: a new conversation from the history goes on with the functions of the old one")
    func inheritedFunctions() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: Self.call), "Sunny."])
        let first = runner.createConversation(systemPrompt: nil)
        first.registerFunction(LeapFunctionTests.weather)
        _ = try await first.generateResponse(userTextMessage: "?").collect()
        let next = runner.createConversationFromHistory(
            history: first.history + [ChatMessage(role: .tool, textContent: "{}")])
        #expect(next.functions == [LeapFunctionTests.weather])
        let responses = try await next.generateResponse(message: ChatMessage(role: .user, content: [.text("")]))
            .collect()
        #expect(responses.text == "Sunny.")
        let prompts = backend.requests.withLock { $0.map { DemoVocabulary.tokenizer.decode($0.prompt) } }
        #expect(prompts[1].hasPrefix(prompts[0] + Self.call + "<|im_end|>\n<|im_start|>tool\n"))
        #expect(prompts[1].hasSuffix("<|tool_response_end|><|im_end|>\n<|im_start|>assistant\n"))
        next.registerFunction(LeapFunctionTests.everything)
        #expect(next.functions == [LeapFunctionTests.everything])
    }

    @Test("A result of a function needs a call before it")
    func orphanedResult() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        for history in [
            [ChatMessage(role: .tool, textContent: "x")],
            [ChatMessage(role: .user, textContent: "q"), ChatMessage(role: .tool, textContent: "x")],
        ] {
            let conversation = runner.createConversationFromHistory(history: history)
            let error = await #expect(throws: LeapGenerationException.self) {
                try await conversation.generateResponse(userTextMessage: "?").collect()
            }
            #expect(error?.message.contains("no call precedes it") == true)
        }
    }

    @Test("toolChoice none hides the functions")
    func toolChoiceNone() async throws {
        let (runner, backend) = DemoVocabulary.runner(["x"])
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunction(LeapFunctionTests.weather)
        _ = try await conversation.generateResponse(
            userTextMessage: "?", generationOptions: GenerationOptions(extras: #"{"toolChoice":"none"}"#)
        ).collect()
        let prompt = DemoVocabulary.tokenizer.decode(try #require(backend.requests.withLock { $0.first }).prompt)
        #expect(!prompt.contains("get_weather"))
    }

    @Test("Images and audio to a text model are an error that says so, damaged ones say what is damaged")
    func media() async throws {
        let (runner, _) = DemoVocabulary.runner([])
        for (part, expected) in [
            (
                ChatMessageContent.image(.init([0xFF, 0xD8, 0xFF])),
                "was loaded without a projector: put its mmproj-*.gguf next to it"
            ),
            (
                .fromFloatSamples([0], sampleRate: 16000),
                "was loaded without a projector: put its mmproj-*.gguf next to it"
            ),
            (.audio(MadeWAV.file(tag: 2, bits: 4, samples: [0])), "format 2 with 4 bits"),
            (.image(.init([1])), "not a JPEG, PNG"),
        ] {
            let conversation = runner.createConversation(systemPrompt: nil)
            let error = await #expect(throws: LeapGenerationException.self) {
                try await conversation.generateResponse(message: ChatMessage(role: .user, content: [.text("x"), part]))
                    .collect()
            }
            #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        }
    }
}
