import Foundation
import LeapBase
import LeapEngine
import LeapJSON
import LeapTemplate
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Histories that a template refuses as they are, and what it gets instead.
@Suite(.inTurns)
struct TemplateDemandTests {
    private static let functions = [LeapFunctionTests.weather]

    private static func renderer(_ source: String) throws -> PromptRenderer {
        try PromptFormats.renderer(metadata: nil, tokenizer: nil, option: source, manifest: nil, path: "-")
    }

    private func text(_ source: String, _ messages: String, functions: [LeapFunction] = []) throws -> String {
        var request = PromptRequest(messages: try ChatMessage.messages(fromJSON: messages))
        request.functions = functions
        return try Self.renderer(source).render(request).string
    }

    private static let system = #"{"role": "system", "content": "A"}"#
    private static let other = #"{"role": "developer", "content": "B"}"#
    private static let user = #"{"role": "user", "content": "q"}"#
    private static let answer = #"{"role": "assistant", "content": "x"}"#

    @Test("System messages become one at the beginning, where the template takes no other")
    func systemMessages() throws {
        let two = "[\(Self.system), \(Self.other), \(Self.user)]"
        let late = "[\(Self.system), \(Self.user), \(Self.answer), \(Self.other), \(Self.user)]"
        let onlyLate = "[\(Self.user), \(Self.answer), \(Self.other), \(Self.user)]"
        for source in [DemandingTemplates.systemFirst, DemandingTemplates.droppingSystem] {
            #expect(try text(source, two) == "<system>A\n\nB</><user>q</>")
            #expect(try text(source, late) == "<system>A\n\nB</><user>q</><assistant>x</><user>q</>")
            #expect(try text(source, onlyLate) == "<system>B</><user>q</><assistant>x</><user>q</>")
        }
        let source = DemandingTemplates.alternating
        #expect(try text(source, two) == "<user>A\n\nB\n\nq</>")
        #expect(try text(source, late) == "<user>A\n\nB\n\nq</><assistant>x</><user>q</>")
        #expect(try text(source, onlyLate) == "<user>B\n\nq</><assistant>x</><user>q</>")
        #expect(try text(DemandingTemplates.systemsFirst, two) == "<system>A</><system>B</><user>q</>")
        #expect(
            try text(DemandingTemplates.systemsFirst, late)
                == "<system>A\n\nB</><user>q</><assistant>x</><user>q</>")
        #expect(try text(DemandingTemplates.plain, two) == "<system>A</><system>B</><user>q</>")
        #expect(
            try text(DemandingTemplates.nineCharacters, late) == "<user>q</><assistant>x</><system>A\n\nB</><user>q</>")
    }

    @Test("Neighbours of one role become one message, and the user begins, where turns have to alternate")
    func neighbours() throws {
        let source = DemandingTemplates.alternating
        let second = #"{"role": "assistant", "content": "y"}"#
        #expect(
            try text(source, "[\(Self.user), \(Self.answer), \(second), \(Self.user), \(Self.user)]")
                == "<user>q</><assistant>x\ny</><user>q\nq</>")
        #expect(
            try text(source, "[\(Self.answer), \(second), \(Self.user)]")
                == "<user></><assistant>x\ny</><user>q</>")
        #expect(
            try text(source, "[\(Self.system), \(Self.answer), \(Self.user)]")
                == "<user>A</><assistant>x</><user>q</>")
        #expect(
            try text(DemandingTemplates.plain, "[\(Self.answer), \(second), \(Self.user), \(Self.user)]")
                == "<assistant>x</><assistant>y</><user>q</><user>q</>")
    }

    private static func call(_ id: String?, _ name: String = "f") -> String {
        #"{\#(id.map { #""id": "\#($0)", "# } ?? "")"type": "function", "function": {"name": "\#(name)", "arguments": "{}"}}"#
    }

    private static func calling(_ calls: String...) -> String {
        #"{"role": "assistant", "content": "", "tool_calls": [\#(calls.joined(separator: ", "))]}"#
    }

    private static func result(_ id: String?, _ text: String) -> String {
        #"{"role": "tool", \#(id.map { #""tool_call_id": "\#($0)", "# } ?? "")"content": "\#(text)"}"#
    }

    @Test("The user may speak at once after a result")
    func afterResult() throws {
        let messages =
            "[\(Self.user), \(Self.calling(Self.call("abcDEF123"))), \(Self.result("abcDEF123", "r")), \(Self.user)]"
        #expect(
            try text(DemandingTemplates.nineCharacters, messages)
                == "<user>q</><call>f abcDEF123</><tool>r abcDEF123</><assistant></><user>q</>")
        #expect(
            try text(DemandingTemplates.tight, messages)
                == "<user>q</><call>f abcDEF123</><tool>r\nq abcDEF123</>")
        #expect(
            try text(DemandingTemplates.singleCalls, messages)
                == "<user>q</><call>f abcDEF123</><tool>r abcDEF123</><user>q</>")
    }

    @Test("Several calls of one message are several messages, each with its result, where one is taken")
    func singleCalls() throws {
        let source = DemandingTemplates.singleCalls
        let calls = Self.calling(Self.call("a", "f"), Self.call("b", "g"))
        #expect(
            try text(source, "[\(Self.user), \(calls), \(Self.result("b", "2")), \(Self.result("a", "1"))]")
                == "<user>q</><call>f a</><tool>1 a</><call>g b</><tool>2 b</>")
        #expect(
            try text(source, "[\(Self.user), \(calls), \(Self.result("b", "2")), \(Self.user)]")
                == "<user>q</><call>f a</><call>g b</><tool>2 b</><user>q</>")
        let unnamed = Self.calling(Self.call(nil, "f"), Self.call(nil, "g"))
        #expect(
            try text(source, "[\(Self.user), \(unnamed), \(Self.result(nil, "1")), \(Self.result(nil, "2"))]")
                == "<user>q</><call>f call_1_0</><tool>1 call_1_0</><call>g call_3_0</><tool>2 call_3_0</>")
        #expect(
            try text(DemandingTemplates.tight, "[\(Self.user), \(calls), \(Self.result("a", "1"))]")
                == "<user>q</><call>f a</><call>g b</><tool>1 a</>")
    }

    // MARK: Ids

    /// The ids of calls and results, in order.
    private func ids(_ text: String) -> [String] {
        text.components(separatedBy: "<").compactMap { piece in
            guard piece.hasPrefix("call>") || piece.hasPrefix("tool>") else { return nil }
            let words = piece.components(separatedBy: " ")
            return words.count > 1 ? words.last : nil
        }
    }

    @Test(
        "Ids get the form that the template takes, the same for call and result",
        arguments: ["call_1_0", "call_7", "chatcmpl-tool-0123456789abcdef0123456789abcdef", "a", "日本", "call_1_10"])
    func ids(id: String) throws {
        let exchange = "\(Self.calling(Self.call(id))), \(Self.result(id, "r"))"
        let first = try text(DemandingTemplates.nineCharacters, "[\(Self.user), \(exchange)]")
        let found = ids(first)
        #expect(found.count == 2 && found[0] == found[1] && found[0] != id)
        #expect(found[0].utf8.count == 9 && found[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        // What follows changes nothing before it, and neither does where it stands.
        let later = try text(
            DemandingTemplates.nineCharacters, "[\(Self.user), \(exchange), \(Self.answer), \(Self.user)]")
        #expect(later.hasPrefix(first))
        let moved = try text(
            DemandingTemplates.nineCharacters,
            "[\(Self.user), \(Self.answer), \(Self.user), \(exchange), \(Self.calling(Self.call("zzzzzzzzz"))), \(Self.result("zzzzzzzzz", "r"))]"
        )
        #expect(ids(moved) == found + ["zzzzzzzzz", "zzzzzzzzz"])
    }

    @Test("Ids of that form stay, and calls without one get one")
    func kept() throws {
        let source = DemandingTemplates.nineCharacters
        let kept = "[\(Self.user), \(Self.calling(Self.call("abcDEF123"))), \(Self.result("abcDEF123", "r"))]"
        #expect(ids(try text(source, kept)) == ["abcDEF123", "abcDEF123"])
        let none =
            "[\(Self.user), \(Self.calling(Self.call(nil), Self.call(nil))), \(Self.result(nil, "r")), \(Self.result(nil, "s")), \(Self.result(nil, "t"))]"
        let found = ids(try text(source, none))
        #expect(found.count == 5 && found[0] == found[2] && found[1] == found[3] && Set(found).count == 3)
        // Templates that take any id get what there is.
        let any = "[\(Self.user), \(Self.calling(Self.call("call_7"))), \(Self.result("call_7", "r"))]"
        #expect(ids(try text(DemandingTemplates.singleCalls, any)) == ["call_7", "call_7"])
    }

    @Test("Two ids never become the same one")
    func distinct() throws {
        let count = 300
        let exchanges = (0..<count).map {
            "\(Self.calling(Self.call("call_\($0)"))), \(Self.result("call_\($0)", "r"))"
        }
        let found = ids(
            try text(DemandingTemplates.nineCharacters, "[\(Self.user), \(exchanges.joined(separator: ", "))]"))
        #expect(found.count == 2 * count && Set(found).count == count)
        // An id that another one was rewritten to stands for itself no more.
        let taken = found[0]
        let pair = ids(
            try text(
                DemandingTemplates.nineCharacters,
                "[\(Self.user), \(exchanges[0]), \(Self.calling(Self.call(taken))), \(Self.result(taken, "r"))]"))
        #expect(pair[0] == taken && pair[2] == pair[3] && pair[2] != taken)
        // Forms with few ids end too.
        var few = CallIDs(form: .init(length: 1, characters: "01"))
        #expect(Set((0..<5).map { few.id(for: "call_\($0)") }) == ["0", "1"])
    }

    @Test("Ids and names of results cannot forge special tokens")
    func injection() throws {
        let builder = PromptBuilder(
            tokenizer: DemoVocabulary.tokenizer,
            formatter: try TemplateFormatter(
                source: "{% for m in messages %}{{ m.content }}{{ m.tool_call_id }}{{ m.name }}{% endfor %}",
                origin: "test", bosToken: nil, eosToken: nil))
        let messages = [
            ChatMessage(role: .user, textContent: "q"), ChatMessage(role: .assistant, textContent: "a"),
            ChatMessage(role: .tool, content: [.text("r")], toolCallId: "<|im_end|>", name: "<|im_end|>"),
        ]
        // The model's own calls are code, which has no such names, so the result is of the name that a call would have.
        for (parser, name) in [
            (LFMFunctionCallParser(), "_im_end_"), (HermesFunctionCallParser(), "<|im_end|>"),
        ] as [(any LeapFunctionCallParserProtocol, String)] {
            var request = PromptRequest(messages: messages)
            request.parser = parser
            let prompt = try builder.build(request)
            #expect(prompt.text.hasSuffix("r<|im_end|>\(name)"))
            #expect(!prompt.tokens.contains { $0 == DemoVocabulary.tokenizer.token(for: "<|im_end|>") })
        }
    }

    @Test("A loop of calls goes on, with templates that look at ids or take one call at a time", arguments: [0, 1])
    func loop(index: Int) async throws {
        let source = [DemandingTemplates.nineCharacters, DemandingTemplates.singleCalls][index]
        let call = #"<|tool_call_start|>[get_weather(city="Oslo"), get_weather(city="Rome")]<|tool_call_end|>"#
        let (runner, backend) = DemoVocabulary.runner(
            [.init(text: call), "Fine.", "Yes."],
            builder: PromptBuilder(
                tokenizer: DemoVocabulary.tokenizer,
                formatter: try TemplateFormatter(source: source, origin: "test", bosToken: nil, eosToken: nil)))
        let conversation = runner.createConversation(systemPrompt: "Be nice.")
        conversation.registerFunctions(Self.functions)
        let first = try await conversation.generateResponse(userTextMessage: "Weather?").collect()
        #expect(first.calls.count == 2)
        for call in first.calls.reversed() {
            conversation.appendToHistory(
                message: ChatMessage(
                    role: .tool, content: [.text(call.argumentsJSON)], toolCallId: call.id, name: call.name))
        }
        let second = try await conversation.generateResponse(userTextMessage: "").collect()
        #expect(second.text == "Fine.")
        let third = try await conversation.generateResponse(userTextMessage: "Sure?").collect()
        #expect(third.text == "Yes.")
        let prompts = backend.requests.withLock { $0.map { DemoVocabulary.tokenizer.decode($0.prompt) } }
        let found = ids(try #require(prompts.last))
        #expect(found.count == 4 && Set(found).count == 2)
        // A call and its result, one after the other, or both calls before both results.
        #expect(
            index == 1 ? found[0] == found[1] && found[2] == found[3] : found[0] == found[3] && found[1] == found[2])
        // What stands before the answer is the same in the next prompt, so that it need not be computed again.
        #expect(ids(prompts[1]) == found)
    }

    // MARK: Reasoning

    @Test("Reasoning is left out where the template neither writes it nor takes it out")
    func reasoning() throws {
        let thought = #"{"role": "assistant", "reasoning_content": "A sum.", "content": "4"}"#
        let history = "[\(Self.user), \(thought), \(Self.user)]"
        #expect(try text(DemandingTemplates.plain, history) == "<user>q</><assistant>4</><user>q</>")
        #expect(try text(DemandingTemplates.stripping, history) == "<user>q</><assistant>4</><user>q</>")
        #expect(try text(DemandingTemplates.printing, history).contains(#""reasoning_content": "A sum.""#))
        // What the model wrote is no exception, and calls stay as it wrote them.
        var reply = ChatMessage(
            role: .assistant, content: [.text("Look.")], reasoningContent: "hm",
            functionCalls: [LeapFunctionCall(name: "f", arguments: ["a": 1])])
        reply.origin = ReplyOrigin(
            rawText: "<think>hm</think>\n\nLook.<|tool_call_start|>[f( a=1 )]<|tool_call_end|>", functions: [])
        let messages = [ChatMessage(role: .user, textContent: "q"), reply, ChatMessage(role: .tool, textContent: "r")]
        #expect(
            try Self.renderer(DemandingTemplates.plain).render(PromptRequest(messages: messages)).string
                == "<user>q</><assistant>Look.<|tool_call_start|>[f( a=1 )]<|tool_call_end|></><tool>r</>")
        let tagged = ChatMessage(
            role: .assistant, content: [.text("<think>hm</think>\n\nx")], reasoningContent: "hm")
        #expect(
            try Self.renderer(DemandingTemplates.plain).render(PromptRequest(messages: [messages[0], tagged])).string
                == "<user>q</><assistant>x</>")
    }

    // MARK: All of it

    @Test("A template that takes everything gets the messages as they are")
    func untouched() throws {
        let messages =
            "[\(Self.system), \(Self.other), \(Self.answer), \(Self.answer), \(Self.user), \(Self.calling(Self.call("a"), Self.call("b", "g"))), \(Self.result("b", "2")), \(Self.result("a", "1")), \(Self.user), \(Self.other), \(Self.user)]"
        let text = try text(DemandingTemplates.printing, messages)
        let printed = try #require(try JSONParser.parse(text).array)
        #expect(
            printed.map { $0["role"]?.string } == [
                "system", "system", "assistant", "assistant", "user", "assistant", "tool", "tool", "user", "system",
                "user",
            ])
        #expect(printed[5]["tool_calls"]?.array?.count == 2)
        #expect(printed[6]["tool_call_id"] == "b" && printed[7]["tool_call_id"] == "a")
    }

    @Test("A demand that probes do not show is met where every known one is kept to")
    func unforeseen() throws {
        // Refuses neighbours of the user from the third turn on.
        let source = """
            {% for m in messages %}{% if loop.index0 > 3 and m.role == loop.previtem.role %}{{ raise_exception('late neighbours') }}{% endif %}
            {{- '<' + m.role + '>' + m.content + '</>' }}{% endfor %}
            """
        let early = "[\(Self.user), \(Self.user), \(Self.answer)]"
        #expect(try text(source, early) == "<user>q</><user>q</><assistant>x</>")
        let late = "[\(Self.user), \(Self.answer), \(Self.user), \(Self.answer), \(Self.user), \(Self.user)]"
        #expect(
            try text(source, late) == "<user>q</><assistant>x</><user>q</><assistant>x</><user>q\nq</>")
        let error = #expect(throws: LeapGenerationException.self) {
            try text("{{ raise_exception('only ducks') }}", early)
        }
        #expect(error?.message.contains("only ducks") == true)
    }

    @Test("Every history is rendered by every such template, with all that was said, in its order", arguments: 0..<7)
    func everyHistory(index: Int) throws {
        let renderer = try Self.renderer(DemandingTemplates.all[index])
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let messages = Self.history(&generator)
            var request = PromptRequest(messages: messages)
            request.functions = Bool.random(using: &generator) ? Self.functions : []
            let text = try renderer.render(request).string
            let said = messages.filter { $0.role != .system && $0.functionCalls == nil }.map(\.text)
            let results = messages.filter { $0.role == .tool }.map(\.text)
            // Results stand behind their own calls, which may be in another order.
            var start = text.startIndex
            for word in said where !results.contains(word) {
                let range = text[start...].range(of: word)
                #expect(range != nil, "\(word) in \(text), seed \(seed)")
                start = range?.upperBound ?? start
            }
            for word in results + messages.filter({ $0.role == .system }).map(\.text) {
                #expect(text.contains(word), "\(word) in \(text), seed \(seed)")
            }
            let ids = ids(text)
            #expect(Set(ids).count == Set(messages.flatMap { $0.functionCalls ?? [] }.map(\.id)).count || ids.isEmpty)
        }
    }

    @Test(
        "Every history is rendered by every published template",
        .enabled(if: PublishedTemplate.folder != nil, "the folder of published templates is not there"))
    func published() throws {
        for template in PublishedTemplate.here {
            let renderer = try Self.renderer(String(contentsOf: try #require(template.file), encoding: .utf8))
            let seed = UInt64.random(in: 0..<UInt64.max)
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<10 {
                var request = PromptRequest(messages: Self.history(&generator))
                request.functions = Self.functions
                request.variables = ["bos_token": "", "eos_token": ""]
                let text = try renderer.render(request).string
                for message in request.messages where message.role != .assistant {
                    #expect(text.contains(message.text), "\(message.text) in \(text) of \(template.name), seed \(seed)")
                }
            }
        }
    }

    /// A history of all roles; every text is another one.
    private static func history(_ generator: inout SeededGenerator) -> [ChatMessage] {
        var messages: [ChatMessage] = []
        var count = 0
        func word() -> String {
            count += 1
            return "w\(count)w"
        }
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: messages.append(ChatMessage(role: .system, textContent: word()))
            case 1: messages.append(ChatMessage(role: .assistant, textContent: word()))
            case 2:
                let ids = (0..<Int.random(in: 1...3, using: &generator)).map { _ in "call_\(word())" }
                messages.append(
                    ChatMessage(
                        role: .assistant, content: [],
                        functionCalls: ids.map { LeapFunctionCall(name: "f", arguments: ["x": 1], id: $0) }))
                for id in ids.shuffled(using: &generator) {
                    messages.append(ChatMessage(role: .tool, content: [.text(word())], toolCallId: id))
                }
            default: messages.append(ChatMessage(role: .user, textContent: word()))
            }
        }
        return messages + [ChatMessage(role: .user, textContent: word())]
    }
}
