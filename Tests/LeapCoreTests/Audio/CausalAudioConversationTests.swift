import Foundation
import LeapBase
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations over sounds, with a tiny encoder of LFM3-Audio of random weights and a language model of the
/// architecture `lfm3`.
@Suite(.inTurns)
struct CausalAudioConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    static func runner(
        sound: String = "<|audio|>", contextSize: UInt32? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await AudioConversationTests.runner(
            projector: fixtures.appending(path: "lfm3a/mmproj-lfm3a.gguf").path, contextSize: contextSize,
            model: fixtures.appending(path: "lfm3vl/lfm3vl.gguf").path, chatTemplate: template(sound))
    }

    /// A template in the form of LFM3's, which takes the parts of messages.
    ///
    /// - Parameter sound: what it writes for a sound.
    private static func template(_ sound: String) -> String {
        """
        {% for message in messages %}<|im_start|>{{ message.role }}
        {% for part in message.content %}\
        {% if part.type == 'audio' %}\(sound){% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>
        {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
        {% endif %}
        """
    }

    private static func prompt(
        _ runner: LiquidInferenceEngineRunner, samples: Int, rate: Int = 16_000
    ) throws -> PromptBuilder.Prompt {
        let messages = [
            ChatMessage(role: .system, textContent: runner.transcriptionPrompt()),
            ChatMessage(role: .user, content: [AudioConversationTests.sound(samples, rate: rate)]),
        ]
        return try runner.promptSource().builder.build(
            PromptRequest(chat: messages, functions: [], parser: nil, enableThinking: false, parts: .all))
    }

    @Test("A sound's vectors stand in the place of its token, as many as its frames ask for")
    func tokens() async throws {
        let runner = try await Self.runner()
        #expect(runner.media == [.audio])
        // 1, 8 and 9 frames; as many at another rate.
        for (count, rate, vectors) in [
            (300, 16_000, 1), (1520, 16_000, 1), (1521, 16_000, 2), (16_123, 16_000, 13), (48_000, 48_000, 13),
        ] {
            let prompt = try Self.prompt(runner, samples: count, rate: rate)
            let places = prompt.tokens.indices.filter { prompt.tokens[$0] < 0 }
            #expect(places.count == vectors, "\(count) at \(rate)")
            #expect(places.last.map { $0 - places[0] + 1 } == vectors)
            #expect(prompt.text.contains("<|im_start|>system\nPerform ASR in English.<|im_end|>"))
            #expect(!prompt.tokens.isEmpty && prompt.tokens[places[0] - 1] == 10)
            #expect(prompt.tokens[places[vectors - 1] + 1] == runner.token("<|im_end|>"))
        }
    }

    @Test("In LFM3-Omni's span the vectors stand between its tokens")
    func span() async throws {
        let runner = try await Self.runner(sound: "<|vision_start|><|audio|><|vision_end|>")
        let prompt = try Self.prompt(runner, samples: 16_123)
        let places = prompt.tokens.indices.filter { prompt.tokens[$0] < 0 }
        #expect(places.count == 13)
        #expect(prompt.tokens[places[0] - 1] == runner.token("<|vision_start|>"))
        #expect(prompt.tokens[places[12] + 1] == runner.token("<|vision_end|>"))
        #expect(prompt.tokens[places[12] + 2] == runner.token("<|im_end|>"))
    }

    @Test("A reply to a sound is written, and one that was recorded piece by piece gives the same")
    func reply() async throws {
        let runner = try await Self.runner()
        let stream = try AudioInputStream(runner: runner, sampleRate: 16_000)
        let samples = PatternAudio.samples(16_123)
        for start in stride(from: 0, to: samples.count, by: 1000) {
            try stream.append(Array(samples[start..<min(samples.count, start + 1000)]))
        }
        var replies: [[ChatMessageContent]] = []
        for sound in [try stream.finish(), AudioConversationTests.sound(16_123)] {
            let options = GenerationOptions()
            (options.maxTokens, options.temperature) = (6, 0)
            let conversation = runner.createConversation(systemPrompt: runner.transcriptionPrompt())
            for try await response in conversation.generateResponse(
                message: ChatMessage(role: .user, content: [sound]), generationOptions: options)
            {
                guard case .complete(let completion) = response else { continue }
                replies.append(completion.message.content)
                #expect(try #require(completion.stats).wholePromptTokens > 13)
            }
        }
        #expect(replies.count == 2 && replies.first == replies.last)
    }

    @Test("The message that asks for a transcript is that of the model")
    func messages() async throws {
        #expect(SpeechPrompts.transcription(in: "english", for: .normalised) == "Perform ASR.")
        #expect(SpeechPrompts.transcription(in: "japanese", for: .normalised) == "Perform ASR in japanese.")
        #expect(SpeechPrompts.transcription(in: "japanese", for: .scaled(bands: 128)) == "Perform ASR in Japanese.")
        #expect(try await AudioConversationTests.runner().transcriptionPrompt() == "Perform ASR.")
        #expect(try await AudioConversationTests.runner(projector: nil).transcriptionPrompt() == "Perform ASR.")
    }
}

extension LiquidInferenceEngineRunner {
    /// The number of a token of its vocabulary.
    fileprivate func token(_ text: String) -> TokenID? { try? promptSource().builder.tokenizer.token(for: text) }
}
