import Foundation
import LeapGGUF

/// The files for tests.
enum TestFiles {
    /// `Tests/Fixtures`.
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// The reference data folder: `OPEN_LEAP_SHARED`, or the one beside the package; nil where there is none.
    static let shared: URL? = {
        let package = fixtures.deletingLastPathComponent().deletingLastPathComponent()
        let candidates =
            ProcessInfo.processInfo.environment["OPEN_LEAP_SHARED"].map { [URL(filePath: $0)] }
            ?? [package.deletingLastPathComponent().appending(path: "shared")]
        return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    /// A new empty folder, removed when `body` returns.
    static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-gguf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }

    /// Writes bytes to a file.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}

/// The error `body` throws, if it throws one of ours.
func error<R>(of body: () throws -> R) -> GGUFError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? GGUFError
    }
}
