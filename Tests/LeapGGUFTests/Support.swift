import Foundation
import LeapGGUF

/// Where the files for tests are.
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

/// A small generator with a seed, so that a failing case can be had again (SplitMix64: Steele et al., 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
