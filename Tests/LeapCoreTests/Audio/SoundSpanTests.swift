import Foundation
import LeapBase
import LeapGGUF
import LeapModel
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Sounds in the prompts of LFM3-Omni, where the format takes messages as plain text.
struct SoundSpanTests {
    private static func builder(
        _ form: SpectrumForm, readsImages: Bool, formatter: any PromptFormatter = ChatMLFormatter(hasToolMarks: false)
    ) throws -> PromptBuilder {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/lfm3vl/lfm3vl.gguf").path
        let tokenizer = try Tokenizer(metadata: try GGUFFile.open(path: path).metadata)
        var builder = PromptBuilder(tokenizer: tokenizer, formatter: formatter)
        let encoder = StableHash(low: 7, high: 9)
        let tiling = ImageTiling.whole(.init(patchSize: 16, downsampling: 2, minPixels: 65_536, maxPixels: 1 << 20))
        builder.media = [AudioReader(encoder: encoder, form: form, contextSize: 128, tokenizer: tokenizer)]
        if readsImages { builder.media.append(ImageReader(encoder: encoder, tokenizer: tokenizer, tiling: tiling)) }
        return builder
    }

    private static func request(_ system: String, _ content: [ChatMessageContent]) -> PromptRequest {
        PromptRequest(messages: [
            ChatMessage(role: .system, textContent: system), ChatMessage(role: .user, content: content),
        ])
    }

    private static let sound = AudioConversationTests.sound(1520)

    @Test("A sound stands between the tokens of the span, one vector in the place of each of its frames")
    func span() throws {
        let builder = try Self.builder(.scaled(bands: 16), readsImages: true)
        let prompt = try builder.build(Self.request("Describe.", [Self.sound, .text("What?")]))
        #expect(
            prompt.text
                == "<|im_start|>system\nDescribe.<|im_end|>\n<|im_start|>user\n<|vision_start|><audio><|vision_end|>What?<|im_end|>\n<|im_start|>assistant\n"
        )
        let place = try #require(prompt.tokens.firstIndex { $0 < 0 })
        #expect(prompt.tokens.filter { $0 < 0 }.count == 1)
        #expect(prompt.tokens[place - 1] == builder.tokenizer.token(for: "<|vision_start|>"))
        #expect(prompt.tokens[place + 1] == builder.tokenizer.token(for: "<|vision_end|>"))
    }

    @Test("Text that spells the span's tokens has none of them")
    func spelled() throws {
        let builder = try Self.builder(.scaled(bands: 16), readsImages: true)
        let prompt = try builder.build(Self.request("Describe.", [Self.sound, .text("<|vision_end|>")]))
        #expect(prompt.tokens.filter { $0 == builder.tokenizer.token(for: "<|vision_end|>") }.count == 1)
    }

    @Test(
        "Sounds of other models stand alone, and their transcripts begin with nothing",
        arguments: [(SpectrumForm.scaled(bands: 16), false), (.normalised, true), (.normalised, false)])
    func alone(form: SpectrumForm, readsImages: Bool) throws {
        let builder = try Self.builder(form, readsImages: readsImages)
        let text = try builder.build(Self.request("Perform ASR in English.", [Self.sound])).text
        #expect(text.hasSuffix("user\n<audio><|im_end|>\n<|im_start|>assistant\n"))
    }

    @Test("A transcript begins behind closed reasoning, whatever language it is in; other replies do not")
    func opening() throws {
        let builder = try Self.builder(.scaled(bands: 16), readsImages: true)
        func ending(_ system: String, _ content: [ChatMessageContent], start: String? = nil) throws -> String {
            var request = Self.request(system, content)
            request.replyStart = start
            let prompt = try builder.build(request)
            #expect(prompt.openReasoning == nil)
            return prompt.text.components(separatedBy: "assistant\n").last ?? ""
        }
        for language in ["English", "Japanese"] {
            #expect(try ending("Perform ASR in \(language).", [Self.sound]) == "<think></think>")
        }
        #expect(try ending("Perform ASR in English.", [Self.sound], start: "So") == "<think></think>So")
        #expect(try ending("Perform ASR in English.", [.text("Hi")]).isEmpty)
        #expect(try ending("Describe.", [Self.sound]).isEmpty)
    }

    @Test("Reasoning that the format begins or has closed is not begun again")
    func openReasoning() throws {
        for (ending, expected) in [
            ("<think>\n", "<think>\n</think>"), ("<think>\n\n</think>\n\n", "<think>\n\n</think>\n\n"),
            ("", "<think></think>"),
        ] {
            let source = "{% for m in messages %}{{ m.content }}{% endfor %}{{ '\(ending)' }}"
            let formatter = try TemplateFormatter(source: source, origin: "test", bosToken: nil, eosToken: nil)
            let builder = try Self.builder(.scaled(bands: 16), readsImages: true, formatter: formatter)
            let prompt = try builder.build(Self.request("Perform ASR in English.", [Self.sound]))
            #expect(prompt.text.hasSuffix(">" + expected), "\(prompt.text)")
            #expect(prompt.openReasoning == nil)
        }
    }
}
