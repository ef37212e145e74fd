import Foundation
import LeapBase
import Testing

@testable import LeapModelDownloader

/// Models in asset packs, over packs that a test has.
struct AssetPackTests {
    /// Packs whose download tells these events, and then has files or fails.
    private final class Packs: AssetPacks {
        let folder = NSTemporaryDirectory() + "leap-packs-" + UUID().uuidString
        let events: [AssetPackEvent]
        let files: [String]
        let failure: (any Error)?
        /// Sends an event, also after the end.
        let late = Locked<(@Sendable (AssetPackEvent) -> Void)?>(nil)

        init(_ events: [AssetPackEvent] = [], files: [String] = ["model.gguf"], failure: (any Error)? = nil) {
            self.events = events
            self.files = files
            self.failure = failure
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func download(_ pack: String, events send: @escaping @Sendable (AssetPackEvent) -> Void) async throws {
            late.withLock { $0 = send }
            for event in events { send(event) }
            if let failure { throw failure }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for file in files { try Data([1]).write(to: URL(fileURLWithPath: folder + "/" + file)) }
        }

        func path(of file: String) throws -> String { folder + "/" + file }
    }

    private func source(
        _ packs: Packs, mmproj: String? = nil, progress: (@Sendable (Double, Bool) -> Void)? = nil
    ) async throws -> ModelSource {
        try await ModelSource.assetPack(
            "chat", in: packs, modelFile: "model.gguf", mmprojFile: mmproj, audioDecoderFile: nil,
            audioTokenizerFile: nil, modelName: "Demo", quantizationId: "Q8_0", progress: progress)
    }

    @Test("A pack gives a source with the paths of its files, and progress that never falls and ends at 1")
    func progress() async throws {
        let packs = Packs(
            [.downloading(0), .downloading(0.5), .paused, .downloading(0.25), .downloading(.nan), .downloading(1)],
            files: ["model.gguf", "mmproj.gguf"])
        let seen = Locked<[String]>([])
        let source = try await source(packs, mmproj: "mmproj.gguf") { fraction, isPaused in
            seen.withLock { $0.append("\(fraction)\(isPaused ? " paused" : "")") }
        }
        packs.late.withLock { $0 }?(.downloading(0.75))
        #expect(seen.withLock { $0 } == ["0.0", "0.5", "0.5 paused", "0.5", "0.5", "0.999", "1.0"])
        #expect(source.modelPath == packs.folder + "/model.gguf")
        #expect(source.mmprojPath == packs.folder + "/mmproj.gguf" && source.audioDecoderPath == nil)
        #expect(source.modelName == "Demo" && source.quantizationId == "Q8_0")
    }

    @Test("A file that the pack does not have, and a download that fails, are errors that name them")
    func failures() async throws {
        let packs = Packs()
        let missing = await #expect(throws: LeapModelLoadingException.self) {
            try await source(packs, mmproj: "mmproj.gguf")
        }
        #expect(missing?.message.contains("mmproj.gguf") == true && missing?.message.contains("chat") == true)
        let broken = Packs(failure: CocoaError(.fileReadNoSuchFile))
        let error = await #expect(throws: LeapModelLoadingException.self) { try await source(broken) }
        #expect(error?.message.hasPrefix("chat: ") == true && error?.cause is CocoaError)
        let stopped = Packs(failure: CancellationError())
        await #expect(throws: CancellationError.self) { try await source(stopped) }
    }

    @Test("A system without asset packs says so")
    func none() async throws {
        let error = await #expect(throws: LeapModelLoadingException.self) {
            try await ModelSource.backgroundAssets(
                pack: "chat", modelFile: "model.gguf", modelName: "Demo", quantizationId: "Q8_0")
        }
        #expect(error?.message.contains("iOS 26") == true)
    }
}
