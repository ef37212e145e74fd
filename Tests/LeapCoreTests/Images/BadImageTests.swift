import Foundation
import LeapBase
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Pictures of extreme sizes, moving ones and lying ones, in conversations.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct BadImageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/vision")

    private static func runner() async throws -> any ModelRunner {
        let path = folder.appending(path: "vision.gguf").path
        return try await Leap.load(
            url: URL(fileURLWithPath: path),
            options: LiquidInferenceEngineOptions(bundlePath: path, cpuThreads: 2))
    }

    private static func reply(_ runner: any ModelRunner, _ data: Data) async throws -> (GenerationStats?, Int) {
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions().with(maxTokens: 2).with(temperature: 0)
        let message = ChatMessage(role: .user, content: [.image(data), .text("What?")])
        var stats: GenerationStats?
        do {
            for try await response in conversation.generateResponse(message: message, generationOptions: options) {
                if case .complete(let completion) = response { stats = completion.stats }
            }
        } catch {
            #expect(conversation.history.isEmpty)
            throw error
        }
        return (stats, conversation.history.count)
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var checksum = CRC32()
        checksum.add(Array(name.utf8) + content)
        return number(content.count) + Array(name.utf8) + content + number(Int(checksum.value))
    }

    @Test(
        "A single pixel and a strip of 30,000 are read",
        arguments: TestLevel.cases([(1, 1), (30_000, 8), (8, 30_000)], standard: 2))
    func extremes(width: Int, height: Int) async throws {
        let file = Data(PNGFile.pattern(width: width, height: height))
        let (stats, count) = try await Self.reply(try await Self.runner(), file)
        #expect(stats?.promptTokens ?? 0 > 16)
        #expect(count == 2)
    }

    @Test("Headers of 100,000 by 100,000 pixels are refused, in PNG and in JPEG")
    func hugeHeaders() async throws {
        let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + Self.chunk("IHDR", Self.number(100_000) + Self.number(100_000) + [8, 6, 0, 0, 0])
            + Self.chunk("IDAT", [0x78, 1]) + Self.chunk("IEND", [])
        // A JPEG's sides have 16 bits.
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0x11, 0, 0xFF, 0xD9]
        let runner = try await Self.runner()
        for (file, words) in [(png, "100000 by 100000"), (jpeg, "65535 by 65535")] {
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.reply(runner, Data(file))
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test("Of a moving PNG the still picture is read; GIF and WebP that end before their first picture are refused")
    func animated() async throws {
        let still = PNGFile.pattern(width: 64, height: 64)
        // After the header: that there are frames, and the first one's place.
        let header = 8 + 25
        let moving =
            still[..<header] + Self.chunk("acTL", Self.number(2) + Self.number(0))
            + Self.chunk(
                "fcTL",
                Self.number(0) + Self.number(64) + Self.number(64) + Self.number(0) + Self.number(0) + [
                    0, 1, 0, 10, 0, 0,
                ])
            + still[header...]
        let runner = try await Self.runner()
        let (first, second) = (
            try await Self.reply(runner, Data(moving)).0, try await Self.reply(runner, Data(still)).0
        )
        #expect(first?.promptTokens == second?.promptTokens)
        let webP =
            Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 2, 0, 0, 0, 63, 0, 0, 63, 0, 0]
        for (file, words) in [(Array("GIF89a".utf8) + Array(repeating: 0, count: 40), "too early"), (webP, "WebP")] {
            let error = await #expect(throws: LeapGenerationException.self) {
                try await Self.reply(runner, Data(file))
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test("With several pictures the damaged one is named by its number")
    func numbers() async throws {
        let picture = Data(PNGFile.pattern(width: 16, height: 16))
        let conversation = try await Self.runner().createConversation(systemPrompt: nil)
        let message = ChatMessage(
            role: .user,
            content: [.image(picture), .image(picture.prefix(60)), .text("What?"), .image(picture)])
        let error = await #expect(throws: LeapGenerationException.self) {
            try await conversation.generateResponse(message: message).collect()
        }
        #expect(error?.message.hasPrefix("picture 2 of 3: the PNG file") == true, "\(error?.message ?? "")")
    }
}
