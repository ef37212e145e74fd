// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// What the sources call of the framework's managed asset packs (OS 26), as Apple's documentation declares it.

/// Of Apple's module System.
public struct FilePath: Sendable, Hashable {
    public let string: String
    public init(_ string: String) { self.string = string }
}

public struct AssetPack: Sendable, Identifiable {
    public let id: String
}

public actor AssetPackManager {
    public enum DownloadStatusUpdate: @unchecked Sendable {
        // Sendable: tests only read the progress.
        case began(AssetPack)
        case paused(AssetPack)
        case downloading(AssetPack, Progress)
        case finished(AssetPack)
        case failed(AssetPack, any Error)
    }

    public static let shared = AssetPackManager()

    public func assetPack(withID assetPackID: String) async throws -> AssetPack {
        try StubAssetPacks.shared.pack(assetPackID)
    }

    public nonisolated func statusUpdates(
        forAssetPackWithID assetPackID: String
    ) -> some Sendable & AsyncSequence<DownloadStatusUpdate, Never> {
        StubAssetPacks.shared.updates(assetPackID)
    }

    public func ensureLocalAvailability(of assetPack: AssetPack) async throws {
        try await StubAssetPacks.shared.download(assetPack)
    }

    public nonisolated func url(for path: FilePath) throws -> URL {
        StubAssetPacks.shared.folder.appendingPathComponent(path.string)
    }
}

/// The system's part: the packs that a server has, and the folder that they are in once they were downloaded.
public final class StubAssetPacks: @unchecked Sendable {
    // Sendable: every access to what changes runs under the lock.
    public static let shared = StubAssetPacks()
    public let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "stub-packs-" + UUID().uuidString)

    private let lock = NSLock()
    private var files: [String: [String: Data]] = [:]

    /// Gives the server a pack.
    public func publish(_ pack: String, _ content: [String: Data]) { lock.withLock { files[pack] = content } }

    func pack(_ identifier: String) throws -> AssetPack {
        guard lock.withLock({ files[identifier] != nil }) else { throw CocoaError(.fileNoSuchFile) }
        return AssetPack(id: identifier)
    }

    func updates(_ identifier: String) -> AsyncStream<AssetPackManager.DownloadStatusUpdate> {
        let pack = AssetPack(id: identifier)
        let half = Progress(totalUnitCount: 2)
        half.completedUnitCount = 1
        return AsyncStream { continuation in
            for update: AssetPackManager.DownloadStatusUpdate in [
                .began(pack), .downloading(pack, half), .paused(pack), .finished(pack),
            ] {
                continuation.yield(update)
            }
            continuation.finish()
        }
    }

    func download(_ pack: AssetPack) async throws {
        let content = lock.withLock { files[pack.id] ?? [:] }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in content { try data.write(to: folder.appendingPathComponent(name)) }
    }
}
