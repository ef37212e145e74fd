import Foundation
import LeapGGUF
import LeapModel
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Conversations with a model whose projector's file has encoders of pictures and of sound.
@Suite(.inTurns)
struct MixedConversationTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

    /// Writes a mixed file, and calls a function with its path.
    private static func withProjector(soundKind: String? = nil, _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "mmproj-\(UUID().uuidString).gguf").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try MixedProjector.writer(
            pictures: try GGUFFile.open(path: fixtures.appending(path: "vision/mmproj-vision.gguf").path),
            sounds: try GGUFFile.open(path: fixtures.appending(path: "audio/mmproj-audio.gguf").path),
            soundKind: soundKind
        ).write(to: path)
        try await body(path)
    }

    private static let picture = ChatMessageContent.image(Data(PNGFile.pattern(width: 64, height: 64)))

    private static func modalities(_ projector: String) throws -> ModelModalities {
        var files = ModelFiles(modelPath: fixtures.appending(path: "vision/vision.gguf").path)
        files.multimodalProjectorPath = projector
        return try ModelModalities(headersOf: files)
    }

    private static func ask(
        _ runner: LiquidInferenceEngineRunner, _ content: [ChatMessageContent]
    ) async throws -> GenerationStats? {
        let options = GenerationOptions()
        (options.maxTokens, options.temperature) = (4, 0)
        let message = ChatMessage(role: .user, content: content)
        for try await response in runner.createConversation(systemPrompt: nil).generateResponse(
            message: message, generationOptions: options)
        {
            if case .complete(let completion) = response { return completion.stats }
        }
        return nil
    }

    @Test("A picture and a sound in one message are both read")
    func both() async throws {
        try await Self.withProjector { path in
            let runner = try await AudioConversationTests.runner(projector: path)
            #expect(runner.media == [.image, .audio] && runner.mediaFormats.count == 2)
            let capabilities = try runner.abilities().capabilities
            #expect(capabilities.contains(.vision) && capabilities.contains(.audio))
            let both = try #require(
                try await Self.ask(runner, [.text("Look"), Self.picture, AudioConversationTests.sound(16_123)]))
            let picture = try #require(try await Self.ask(runner, [.text("Look"), Self.picture]))
            // 13 vectors of the sound.
            #expect(both.wholePromptTokens >= picture.wholePromptTokens + 13)
            #expect(try Self.modalities(path).input == [.text, .image, .audio])
        }
    }

    @Test("Where the kind of sound is not known pictures are read, and a sound is refused with that kind")
    func unread() async throws {
        try await Self.withProjector(soundKind: "lfm4a") { path in
            let runner = try await AudioConversationTests.runner(projector: path)
            #expect(runner.media == [.image])
            #expect(try await Self.ask(runner, [.text("Look"), Self.picture]) != nil)
            let error = await #expect(throws: LeapGenerationException.self) {
                _ = try await Self.ask(runner, [.text("Hear"), AudioConversationTests.sound(1600)])
            }
            #expect(error?.message.contains("of the kind \"lfm4a\"") == true, "\(error?.message ?? "")")
            #expect(try Self.modalities(path).input == [.text, .image])
        }
    }
}
