import Foundation
import LeapDemoModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations over pictures, with a tiny LFM2-VL of random weights.
@Suite(.inTurns)
struct ImageConversationTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/vision")

    private struct Reference: Decodable {
        struct Chat: Decodable {
            let width: Int
            let height: Int
            let ids: [TokenID]
        }

        let chats: [Chat]
    }

    private static func runner(
        extras: String? = nil, projector: String? = nil, contextSize: UInt32? = nil, family: String = "vision"
    ) async throws -> LiquidInferenceEngineRunner {
        let path = folder.deletingLastPathComponent().appending(path: "\(family)/\(family).gguf").path
        let runner = try await Leap.load(
            url: URL(fileURLWithPath: path),
            options: LiquidInferenceEngineOptions(
                bundlePath: path, cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true),
                cpuThreads: 2, contextSize: contextSize, mmProjPath: projector, extras: extras))
        return try #require(runner as? LiquidInferenceEngineRunner)
    }

    private static func picture(_ width: Int = 64, _ height: Int = 64) -> ChatMessageContent {
        .image(Data(PNGFile.pattern(width: width, height: height)))
    }

    private static func completion(
        _ conversation: any Conversation, _ content: [ChatMessageContent]
    ) async throws -> MessageCompletion {
        let options = GenerationOptions()
        options.maxTokens = 6
        options.temperature = 0
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, content: content), generationOptions: options)
        {
            if case .complete(let completion) = response { return completion }
        }
        throw LeapGenerationException("no completion")
    }

    @Test("The projector is found beside the model, and a prompt with a picture has the tokens of the reference")
    func tokens() async throws {
        let runner = try await Self.runner()
        let data = try Data(contentsOf: Self.folder.appending(path: "vision.json"))
        for chat in try JSONDecoder().decode(Reference.self, from: data).chats {
            let message = ChatMessage(
                role: .user, content: [.text("what is "), Self.picture(chat.width, chat.height), .text(" this?")])
            let prompt = try runner.promptSource().builder.build(
                PromptRequest(chat: [message], functions: [], parser: nil, enableThinking: false, parts: .all))
            #expect(prompt.tokens.map { $0 < 0 ? -1 : $0 } == chat.ids, "\(chat.width)x\(chat.height)")
            #expect(prompt.parts.reduce(0) { $0 + $1.tokenCount } == chat.ids.count { $0 < 0 })
            // Each place has a number of its own.
            #expect(Set(prompt.tokens.filter { $0 < 0 }).count == chat.ids.count { $0 < 0 })
        }
    }

    @Test(
        "Prompts have the tokens of transformers' processor, in all turns, before, between and behind texts",
        arguments: ["smolvlm", "lfm3vl", "qwen3vl", "qwen35vl"])
    func otherFamily(family: String) async throws {
        let runner = try await Self.runner(family: family)
        let data = try Data(contentsOf: Self.folder.appending(path: "../\(family)/\(family).json"))
        for chat in try JSONDecoder().decode(Reference.self, from: data).chats {
            let picture = Self.picture(chat.width, chat.height)
            let messages = [
                ChatMessage(
                    role: .user,
                    content: [
                        picture, .text(family == "smolvlm" ? "1\n\nwhat is " : "what is "), picture, .text("\nthis?"),
                    ]),
                ChatMessage(role: .assistant, textContent: "No idea."),
                ChatMessage(role: .user, content: [.text("look"), picture]),
            ]
            let prompt = try runner.promptSource().builder.build(
                PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all))
            #expect(prompt.tokens.map { $0 < 0 ? -1 : $0 } == chat.ids, "\(chat.width)x\(chat.height)")
            if family == "smolvlm" { #expect(prompt.text.contains("User:<image>1")) }
        }
        let conversation = runner.createConversation(systemPrompt: nil)
        let first = try await Self.completion(conversation, [Self.picture(300, 200), .text("What is it?")])
        let second = try await Self.completion(conversation, [.text("And now?")])
        // The reply's text begins with a space that the prompt's end had not: a page of 64 is computed again, at most.
        let (asked, cached) = (
            try #require(first.stats).computedPromptTokens, try #require(second.stats).reusedPromptTokens
        )
        #expect(asked > (family == "smolvlm" ? 68 : 24))
        #expect(cached > asked - 64)
    }

    @Test(
        "Qwen3-VL: minImageTokens and maxImageTokens change how many tokens a picture takes; doImageSplitting is refused",
        arguments: ["lfm3vl", "qwen3vl", "qwen35vl"])
    func wholeImages(family: String) async throws {
        func count(_ extras: String?) async throws -> Int {
            let message = ChatMessage(role: .user, content: [Self.picture(100, 100)])
            return try await Self.runner(extras: extras, family: family).promptTokenCount(messages: [message])
        }
        let plain = try await count(nil)
        // 96 × 96 pixels are 9 tokens; 16 of them are 128 × 128, and 4 are 64 × 64.
        #expect(try await count(#"{"minImageTokens": 16}"#) == plain + 7)
        #expect(try await count(#"{"maxImageTokens": 4}"#) == plain - 5)
        for extras in [
            #"{"maxImageTokens": 33}"#, #"{"minImageTokens": 33}"#, #"{"minImageTokens": 8, "maxImageTokens": 7}"#,
            #"{"doImageSplitting": false}"#,
        ] {
            let error = await #expect(throws: LeapModelLoadingException.self) { _ = try await count(extras) }
            #expect(error?.localizedDescription.contains("Image") == true)
        }
    }

    @Test(
        "Gemma 4: prompts have the tokens of transformers' processor, and maxImageTokens is how large pictures become",
        arguments: ["gemma4vl", "gemma4vl-large"])
    func filledImages(family: String) async throws {
        let extras = #"{"maxImageTokens": 70}"#
        let runner = try await Self.runner(extras: extras, family: family)
        let data = try Data(contentsOf: Self.folder.appending(path: "../\(family)/\(family).json"))
        for chat in try JSONDecoder().decode(Reference.self, from: data).chats {
            let picture = Self.picture(chat.width, chat.height)
            let messages = [
                ChatMessage(role: .user, content: [picture, .text("what is "), picture, .text("\nthis?")]),
                ChatMessage(role: .assistant, textContent: "No idea."),
                ChatMessage(role: .user, content: [.text("look"), picture]),
            ]
            let prompt = try runner.promptSource().builder.build(
                PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all))
            #expect(prompt.tokens.map { $0 < 0 ? -1 : $0 } == chat.ids, "\(chat.width)x\(chat.height)")
        }
        let message = ChatMessage(role: .user, content: [Self.picture(100, 100)])
        let few = try runner.promptTokenCount(messages: [message])
        let many = try await Self.runner(family: family).promptTokenCount(messages: [message])
        // 8 × 8 and 16 × 16 squares of 48 pixels.
        #expect(many - few == 256 - 64)
        for extras in [
            #"{"maxImageTokens": 1121}"#, #"{"minImageTokens": 4}"#, #"{"doImageSplitting": false}"#,
        ] {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                _ = try await Self.runner(extras: extras, family: family)
            }
            #expect(error?.localizedDescription.contains("Image") == true)
        }
        // One of them talks at the standard level.
        guard TestLevel.isAll || family == "gemma4vl" else { return }
        let conversation = runner.createConversation(systemPrompt: nil)
        let first = try await Self.completion(conversation, [Self.picture(300, 200), .text("What is it?")])
        #expect(try #require(first.stats).computedPromptTokens > 60)
        let second = try await Self.completion(conversation, [.text("And now?")])
        let whole = try await Self.runner(extras: extras, family: family)
            .createConversationFromHistory(history: Array(conversation.history.dropLast(2)))
        #expect(try await Self.completion(whole, [.text("And now?")]).message == second.message)
    }

    @Test(
        "Qwen3-VL: what the user types of what stands around pictures is text, also beside one",
        arguments: ["<|image_pad|>", "<|vision_start|><|image_pad|><|vision_end|>"])
    func wholeImagePlaceholder(text: String) async throws {
        let builder = try await Self.runner(family: "qwen3vl").promptSource().builder
        func tokens(_ content: [ChatMessageContent]) throws -> [TokenID] {
            try builder.build(
                PromptRequest(
                    chat: [ChatMessage(role: .user, content: content)], functions: [], parser: nil,
                    enableThinking: false, parts: .all)
            ).tokens
        }
        let special: [TokenID] = [259, 260, 261]
        #expect(try tokens([.text(text)]).allSatisfy { $0 >= 0 && !special.contains($0) })
        let plain = try tokens([Self.picture(), .text("x")])
        let typed = try tokens([.text(text), Self.picture(), .text(text + "x")])
        #expect(typed.count { $0 < 0 } == plain.count { $0 < 0 })
        // One of each around the picture, and no other.
        #expect(typed.filter { special.contains($0) } == [259, 260])
        #expect(typed.count == plain.count + 2 * text.utf8.count)
    }

    @Test("SmolVLM: a placeholder that the user types is text, also beside a picture")
    func otherFamilyPlaceholder() async throws {
        let builder = try await Self.runner(family: "smolvlm").promptSource().builder
        func tokens(_ content: [ChatMessageContent]) throws -> [TokenID] {
            try builder.build(
                PromptRequest(
                    chat: [ChatMessage(role: .user, content: content)], functions: [], parser: nil,
                    enableThinking: false, parts: .all)
            ).tokens
        }
        // As a text, and before and behind a picture: none of it becomes a picture or is lost.
        #expect(try tokens([.text("<image>")]).allSatisfy { $0 >= 0 && $0 != 262 })
        let plain = try tokens([Self.picture(), .text("x")])
        let typed = try tokens([.text("<image>"), Self.picture(), .text("<image>x")])
        #expect(typed.count { $0 < 0 } == plain.count { $0 < 0 })
        #expect(!typed.contains(262))
        #expect(typed.count >= plain.count + 14)
    }

    @Test(
        "SmolVLM: maxImageTokens and doImageSplitting change how many tokens a picture takes; minImageTokens is refused"
    )
    func otherFamilyTiling() async throws {
        func count(_ extras: String?) async throws -> Int {
            let message = ChatMessage(role: .user, content: [Self.picture(100, 100)])
            return try await Self.runner(extras: extras, family: "smolvlm").promptTokenCount(messages: [message])
        }
        let all = try await count(nil)
        let limited = try await count(#"{"maxImageTokens": 40}"#)
        let whole = try await count(#"{"doImageSplitting": false}"#)
        #expect(whole < limited && limited < all)
        #expect(try await count(#"{"maxImageTokens": 4}"#) == whole)
        for extras in [#"{"minImageTokens": 4}"#, #"{"maxImageTokens": 3}"#] {
            let error = await #expect(throws: LeapModelLoadingException.self) { _ = try await count(extras) }
            #expect(error?.localizedDescription.contains("ImageTokens") == true)
        }
    }

    @Test("A second question about a picture computes what is new only, and another picture is another one")
    func secondQuestion() async throws {
        let runner = try await Self.runner()
        let conversation = runner.createConversation(systemPrompt: "Look.")
        let first = try await Self.completion(conversation, [Self.picture(), .text("What is it?")])
        let count = try #require(first.stats).computedPromptTokens
        #expect(count > 64)
        let second = try #require(try await Self.completion(conversation, [.text("And now?")]).stats)
        #expect(second.reusedPromptTokens >= count)
        #expect(second.computedPromptTokens < 64)
        #expect(conversation.history.count == 5)
        // The same question over another picture of the same size shares nothing behind its begin.
        let other = runner.createConversation(systemPrompt: "Look.")
        let different = ChatMessageContent.image(Data(PNGFile.bytes(width: 64, height: 64) { _, _ in [1, 2, 3] }))
        let third = try #require(try await Self.completion(other, [different, .text("What is it?")]).stats)
        #expect(third.computedPromptTokens >= 64)
    }

    @Test("Pictures stand where their parts do: several in a message, in earlier turns and in results of functions")
    func places() async throws {
        let runner = try await Self.runner()
        let builder = try runner.promptSource().builder
        func text(_ messages: [ChatMessage]) throws -> String {
            try builder.build(
                PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all)
            ).text
        }
        let messages = [
            ChatMessage(role: .user, content: [Self.picture(), Self.picture(80, 64), .text("Which?")]),
            ChatMessage(role: .assistant, textContent: "First."),
            ChatMessage(role: .tool, content: [.text("taken:"), Self.picture(64, 80)]),
            ChatMessage(role: .user, content: [.text("Then"), .text("this"), Self.picture()]),
        ]
        let shown = try text(messages)
        #expect(shown.contains("user\n<image><image>Which?<|im_end|>"))
        #expect(shown.contains("taken:<image><|im_end|>"))
        #expect(shown.contains("Then\nthis<image><|im_end|>"))
        let conversation = runner.createConversationFromHistory(history: messages)
        #expect(try await Self.completion(conversation, [.text("So?")]).stats?.computedPromptTokens ?? 0 > 4 * 64)
    }

    @Test("A placeholder that the user types is text", arguments: ["<image>", "<|image_start|><image><|image_end|>"])
    func typedPlaceholder(text: String) async throws {
        let runner = try await Self.runner()
        let builder = try runner.promptSource().builder
        let prompt = try builder.build(
            PromptRequest(
                chat: [ChatMessage(role: .user, textContent: text)], functions: [], parser: nil, enableThinking: false))
        #expect(prompt.parts.isEmpty)
        #expect(prompt.tokens.allSatisfy { $0 >= 0 && ![300, 301, 302].contains($0) })
        // With a mark of our own in it too.
        let marked = text + String(decoding: [0xEF, 0xB7, 0x90, 0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self)
        let second = try builder.build(
            PromptRequest(
                chat: [ChatMessage(role: .user, textContent: marked)], functions: [], parser: nil,
                enableThinking: false))
        #expect(second.parts.isEmpty)
    }

    @Test("A picture that cannot be read, or for which there is no projector, is refused and not kept")
    func refused() async throws {
        var damaged = PNGFile.pattern(width: 64, height: 64)
        damaged[60] ^= 1
        let runner = try await Self.runner()
        let conversation = runner.createConversation(systemPrompt: nil)
        for (data, words) in [
            (Data(damaged), "checksum"), (Data("GIF89a and more".utf8), "GIF"),
            (Data("%PDF-1.7 and more".utf8), "JPEG"),
            (Data("http://example.org/a.png".utf8), "https only"),
        ] {
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.completion(conversation, [.image(data), .text("What?")])
            }
            #expect(error?.localizedDescription.contains(words) == true, "\(words)")
            #expect(conversation.history.isEmpty)
        }
        #expect(try await Self.completion(conversation, [Self.picture(), .text("What?")]).stats != nil)

        let demo = try await Leap.load(url: try LeapDemoModel.url)
        let plain = demo.createConversation(systemPrompt: nil)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await Self.completion(plain, [Self.picture(), .text("What?")])
        }
        #expect(error?.localizedDescription.contains("mmproj") == true)
        #expect(plain.history.isEmpty)
    }

    @Test("More pictures than the context holds: the error says how many tokens are needed and how many there are")
    func tooMany() async throws {
        let conversation = try await Self.runner(contextSize: 200).createConversation(systemPrompt: nil)
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await Self.completion(
                conversation, [Self.picture(), Self.picture(80, 64), Self.picture(64, 80), .text("Which?")])
        }
        #expect(error?.availableTokens == 200)
        #expect((error?.neededTokens ?? 0) > 3 * 64)
        #expect(conversation.history.isEmpty)
    }

    @Test("minImageTokens, maxImageTokens and doImageSplitting change how many tokens a picture takes")
    func tiling() async throws {
        func count(_ extras: String?, _ picture: ChatMessageContent) async throws -> Int {
            let message = ChatMessage(role: .user, content: [picture])
            return try await Self.runner(extras: extras).promptTokenCount(messages: [message])
        }
        let (picture, wide) = (Self.picture(), Self.picture(1100, 500))
        let small = try await count(nil, picture)
        #expect(try await count(#"{"minImageTokens": 16}"#, picture) == small - 48)
        let large = try await count(nil, wide)
        #expect(try await count(#"{"doImageSplitting": false}"#, wide) < large - 256)
        #expect(try await count(#"{"maxImageTokens": 64, "doImageSplitting": false}"#, wide) <= small)
        for extras in [#"{"minImageTokens": 0}"#, #"{"maxImageTokens": "many"}"#, #"{"minImageTokens": 512}"#] {
            await #expect(throws: LeapModelLoadingException.self) { try await Self.runner(extras: extras) }
        }
    }

    @Test("A projector that is named has to be one for the model")
    func wrongProjector() async throws {
        for path in [
            Self.folder.appending(path: "vision.gguf").path, try LeapDemoModel.url.path, "/nowhere/mmproj.gguf",
        ] {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await Self.runner(projector: path)
            }
            #expect(error?.localizedDescription.contains(path) == true)
        }
    }

    @Test(
        "A saved conversation goes on over its pictures in another runner",
        arguments: TestLevel.cases(["vision", "lfm3vl", "qwen3vl", "qwen35vl"], standard: 2))
    func saved(family: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString).leap")
        defer { try? FileManager.default.removeItem(at: file) }
        let first = try await Self.runner(family: family)
        let conversation = first.createConversation(systemPrompt: nil)
        _ = try await Self.completion(
            conversation,
            [Self.picture(300, 90), .text("What is it?"), Self.picture(90, 300), .text("And what is this one?")])
        try await conversation.save(to: file)
        let same = try await Self.completion(conversation, [.text("And now?")])
        let restored = try await Self.runner(family: family).restoreConversation(from: file)
        #expect(restored.recomputationReason == nil)
        let again = try await Self.completion(restored.conversation, [.text("And now?")])
        #expect(again.message == same.message)
        let stats = try #require(again.stats)
        // The picture's tokens are not among what is computed; the reply and the question are.
        // A recurrent state goes on from its end only, and this model's replies are not the tokens that their text has.
        #expect(stats.reusedPromptTokens >= 64 || family == "qwen35vl")
        // A runner that computes all of it says the same.
        let whole = try await Self.runner(family: family)
            .createConversationFromHistory(history: Array(conversation.history.dropLast(2)))
        #expect(try await Self.completion(whole, [.text("And now?")]).message == same.message)
        #expect(stats.computedPromptTokens < 64 + 60 || family == "qwen35vl")
    }

    @Test("A projector beside the model that cannot be used leaves a model for text, with a line in the log")
    func unusableProjector() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("vision.gguf", Data(contentsOf: Self.folder.appending(path: "vision.gguf")))
        _ = try folder.write("mmproj-vision.gguf", Data("GGUF".utf8))
        let lines = try await CapturedLog.lines {
            let runner = try await Leap.load(url: URL(fileURLWithPath: path))
            let conversation = runner.createConversation(systemPrompt: nil)
            #expect(try await Self.completion(conversation, [.text("What?")]).stats != nil)
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.completion(conversation, [Self.picture()])
            }
            #expect(error?.localizedDescription.contains("mmproj-vision.gguf") == true)
        }
        #expect(lines.contains { $0.contains("mmproj-vision.gguf") && $0.contains("text only") })
    }
}
