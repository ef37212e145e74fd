import Foundation
import LeapBase
import LeapDemoModel
import LeapModel
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations over videos, with tiny models of random weights.
@Suite(.inTurns)
struct VideoConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
    private static let families = ["lfm3vl", "qwen3vl", "qwen35vl"]

    private static func runner(
        _ family: String, extras: String? = nil, contextSize: UInt32? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        let path = fixtures.appending(path: "\(family)/\(family).gguf").path
        let runner = try await Leap.load(
            url: URL(fileURLWithPath: path),
            options: LiquidInferenceEngineOptions(
                bundlePath: path, cacheOptions: LiquidCacheOptions(path: "", enabled: true, diskDisabled: true),
                cpuThreads: 2, contextSize: contextSize, extras: extras))
        return try #require(runner as? LiquidInferenceEngineRunner)
    }

    /// A picture of 128 by 96 pixels, which is 12 tokens.
    private static func picture(_ seed: Int, _ width: Int = 128, _ height: Int = 96) -> Data {
        Data(
            PNGFile.bytes(width: width, height: height) { x, y in
                [UInt8((x * seed + y) % 256), UInt8((x + y * seed) % 256), UInt8(seed)]
            })
    }

    private static func video(_ seeds: [Int], times: [Double]? = nil) throws -> ChatMessageContent {
        let times = times ?? seeds.indices.map { Double($0) / 2 }
        return .video(try VideoFrames(zip(seeds, times).map { .init(time: $1, data: picture($0)) }))
    }

    private static func prompt(
        _ runner: LiquidInferenceEngineRunner, _ content: [ChatMessageContent]
    ) throws -> PromptBuilder.Prompt {
        try runner.promptSource().builder.build(
            PromptRequest(
                chat: [ChatMessage(role: .user, content: content)], functions: [], parser: nil, enableThinking: false,
                parts: .all))
    }

    private static func completion(
        _ conversation: any Conversation, _ content: [ChatMessageContent]
    ) async throws -> MessageCompletion {
        let options = GenerationOptions()
        options.maxTokens = 8
        options.temperature = 0
        for try await response in conversation.generateResponse(
            message: ChatMessage(role: .user, content: content), generationOptions: options)
        {
            if case .complete(let completion) = response { return completion }
        }
        throw LeapGenerationException("no completion")
    }

    @Test(
        "Each pair of frames stands behind its mean time; the last of an odd number stands twice", arguments: families)
    func tokens(family: String) async throws {
        let runner = try await Self.runner(family)
        let prompt = try Self.prompt(runner, [.text("Look: "), try Self.video([1, 2, 3]), .text("What?")])
        func text(_ text: String) -> [TokenID] { text.utf8.map { TokenID($0) } }
        let span: [TokenID] = [259] + [TokenID](repeating: -1, count: 12) + [260]
        // 0.25 is shown as the reference shows it.
        let expected: [TokenID] =
            [257] + text("user\nLook: <0.2 seconds>") + span + text("<1.0 seconds>") + span + text("What?") + [258]
            + text("\n") + [257] + text("assistant\n")
        #expect(prompt.tokens.map { $0 < 0 ? -1 : $0 } == expected)
        #expect(prompt.text.contains("user\nLook: <video>What?"))
        #expect(prompt.files.map(\.medium) == [.video])
        let contents = try prompt.parts.map { part in
            #expect(part.tokenCount == 12 && part.medium == .image)
            guard case .image(let patches) = try part.content() else { throw LeapGenerationException("no picture") }
            return patches
        }
        #expect(contents.map(\.rows) == [6, 6] && contents.map(\.columns) == [8, 8])
        let still = try Self.prompt(runner, [.image(Self.picture(3))])
        guard case .image(let patches)? = try still.parts.first?.content() else {
            throw LeapGenerationException("no picture")
        }
        #expect(contents[1].values == patches.values && contents[1].secondValues == nil)
        #expect(contents[0].secondValues?.count == patches.values.count)
        #expect(contents[0].secondValues != contents[0].values)
    }

    @Test(
        "A video of equal frames is read as its times and pictures would be, with the same positions",
        arguments: families)
    func positions(family: String) async throws {
        let video = try Self.video([5, 5, 9, 9], times: [0, 1, 2, 3])
        let pieces: [ChatMessageContent] = [
            .text("<0.5 seconds>"), .image(Self.picture(5)), .text("<2.5 seconds>"), .image(Self.picture(9)),
        ]
        let runner = try await Self.runner(family)
        let one = try Self.prompt(runner, [video, .text("What?")]).tokens
        let other = try Self.prompt(runner, pieces + [.text("What?")]).tokens
        // Places tell rows and columns apart in the same way, and the contents of a video from those of pictures.
        #expect(one.map { $0 < 0 ? -1 : $0 } == other.map { $0 < 0 ? -1 : $0 })
        #expect(one.map(PlaceToken.step) == other.map(PlaceToken.step))
        #expect(Set(one.filter { $0 < 0 }).isDisjoint(with: other.filter { $0 < 0 }))
        let answer = try await Self.completion(runner.createConversation(systemPrompt: nil), [video, .text("What?")])
        let expected = try await Self.completion(
            runner.createConversation(systemPrompt: nil), pieces + [.text("What?")])
        #expect(answer.message.text == expected.message.text)
    }

    @Test("Another frame, another order or another size is another content; times are text", arguments: ["qwen3vl"])
    func keys(family: String) async throws {
        let runner = try await Self.runner(family)
        func places(_ content: ChatMessageContent) throws -> [[TokenID]] {
            let places = try Self.prompt(runner, [content]).tokens.filter { $0 < 0 }
            return stride(from: 0, to: places.count, by: 12).map { Array(places[$0..<min($0 + 12, places.count)]) }
        }
        let plain = try places(try Self.video([1, 2, 3, 4]))
        #expect(plain.count == 2)
        let second = try places(try Self.video([1, 7, 3, 4]))
        #expect(second[0] != plain[0] && second[1] == plain[1])
        #expect(try places(try Self.video([2, 1, 3, 4]))[0] != plain[0])
        // The beginning of a longer video is found again.
        #expect(try places(try Self.video([1, 2, 3, 4, 5]))[..<2] == plain[...])
        let later = try Self.video([1, 2, 3, 4], times: [10, 11, 12, 13])
        #expect(try places(later) == plain)
        #expect(
            try Self.prompt(runner, [later]).tokens != (try Self.prompt(runner, [try Self.video([1, 2, 3, 4])]).tokens))
        let conversation = runner.createConversation(systemPrompt: nil)
        let first = try await Self.completion(conversation, [try Self.video([1, 2, 3, 4, 5, 6]), .text("What?")])
        let next = try await Self.completion(conversation, [.text("And now?")])
        let asked = try #require(first.stats).computedPromptTokens
        #expect(try #require(next.stats).reusedPromptTokens > asked - 64)
    }

    @Test("maxImageTokens bounds the tokens of two frames", arguments: families)
    func limit(family: String) async throws {
        let video = try Self.video([1, 2])
        let plain = try Self.prompt(try await Self.runner(family), [video]).parts[0].tokenCount
        let few = try Self.prompt(try await Self.runner(family, extras: #"{"maxImageTokens": 4}"#), [video])
        #expect(plain == 12 && few.parts[0].tokenCount <= 4)
    }

    @Test(
        "Frames of different sizes, damaged ones, too many and more tokens than the context are refused by what they are"
    )
    func refused() async throws {
        var damaged = Self.picture(1)
        damaged[60] ^= 1
        let runner = try await Self.runner("lfm3vl")
        let conversation = runner.createConversation(systemPrompt: nil)
        for (pictures, words) in [
            ([Self.picture(1), Self.picture(2, 64, 96)], "frame 1 of the video: it has 64 by 96 pixels"),
            ([Self.picture(1), damaged], "frame 1 of the video"),
            ([Data](repeating: Self.picture(1), count: 385), "385 frames, but this model reads at most 384"),
        ] {
            let video = ChatMessageContent.video(try VideoFrames(pictures: pictures))
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.completion(conversation, [video, .text("What?")])
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(conversation.history.isEmpty)
        }
        let small = try await Self.runner("lfm3vl", contextSize: 100).createConversation(systemPrompt: nil)
        let long = ChatMessageContent.video(
            try VideoFrames(pictures: [Data](repeating: Self.picture(1), count: 20)))
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await Self.completion(small, [long, .text("What?")])
        }
        #expect(error?.neededTokens == 121 && error?.availableTokens == 100)
        #expect(error?.message.contains("120 tokens (10 pairs of frames with 12 each)") == true)
    }

    @Test("A model that reads no videos says what it reads")
    func otherModels() async throws {
        let video = try Self.video([1, 2])
        let pictures = try await Self.runner("vision")
        #expect(pictures.readableParts.imageProblem == nil)
        let demo = try #require(try await Leap.load(url: try LeapDemoModel.url) as? LiquidInferenceEngineRunner)
        for (runner, words) in [(pictures, "is for images: use a model that reads video"), (demo, "mmproj")] {
            let conversation = runner.createConversation(systemPrompt: nil)
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.completion(conversation, [video, .text("What?")])
            }
            #expect(error?.message.contains("message 0 has a video") == true)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test("A template's own placeholder of a video gives way; what the user types of it is text")
    func placeholders() async throws {
        let source = """
            {% for m in messages %}<|im_start|>{{ m.role }}
            {% for p in m.content %}{% if p.type == 'video' %}<|vision_start|><|video_pad|><|vision_end|>{% else %}{{ p.text }}{% endif %}{% endfor %}<|im_end|>
            {% endfor %}
            """
        let runner = try await Self.runner("qwen3vl")
        let tokenizer = try runner.promptSource().builder.tokenizer
        var builder = PromptBuilder(
            tokenizer: tokenizer,
            formatter: try TemplateFormatter(source: source, origin: "a test", bosToken: nil, eosToken: nil))
        builder.media = try runner.promptSource().builder.media
        func tokens(_ content: [ChatMessageContent]) throws -> [TokenID] {
            try builder.build(
                PromptRequest(
                    chat: [ChatMessage(role: .user, content: content)], functions: [], parser: nil,
                    enableThinking: false, parts: .all)
            ).tokens
        }
        let plain = try tokens([try Self.video([1, 2]), .text("x")])
        #expect(plain.count { $0 < 0 } == 12 && plain.count { $0 == 259 } == 1 && !plain.contains(262))
        let typed = "<|vision_start|><|video_pad|><|vision_end|>"
        let both = try tokens([.text(typed), try Self.video([1, 2]), .text(typed + "x")])
        #expect(both.count == plain.count + 2 * typed.utf8.count && !both.contains(262))
    }

    @Test("Another process makes the same prompt from the format that it gets")
    func remote() async throws {
        let runner = try await Self.runner("qwen3vl")
        let builder = try runner.promptSource().builder
        let sent = try JSONEncoder().encode(try #require(runner.mediaFormats.first))
        #expect(runner.mediaFormats.count == 1 && runner.media == [.image, .video])
        let readers = try JSONDecoder().decode(MediaFormat.self, from: sent)
            .readers(builder.tokenizer, contextSize: runner.contextSize)
        #expect(readers.map(\.medium) == [.image, .video])
        var other = builder
        other.media = readers
        let request = try PromptRequest(
            chat: [ChatMessage(role: .user, content: [try Self.video([1, 2, 3]), .text("What?")])], functions: [],
            parser: nil, enableThinking: false, parts: .all)
        let prompt = try other.build(request)
        #expect(prompt.tokens == (try builder.build(request).tokens))
        let inputs = try builder.inputs(prompt.files, in: prompt.tokens)
        #expect(inputs.map(\.positions.count) == [12, 12])
        let changed = try VideoFrames(pictures: [Self.picture(1), Self.picture(8), Self.picture(3)])
        #expect(throws: LeapGenerationException.self) {
            try builder.inputs([PromptFile(.video, MediaFile(changed.file))], in: prompt.tokens)
        }
    }
}
