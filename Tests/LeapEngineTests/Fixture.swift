import Foundation
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// A tiny random model with the logits that transformers computes for it in float32.
struct Fixture: Decodable {
    let arch: String
    let tokens: [TokenID]
    let shape: [Int]
    let logits: [Float]
    /// The positions that `logits` are of; all if absent.
    let positions: [Int]?
    let greedy: [TokenID]

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// The model that the package embeds.
    static let demoPath = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf").path

    static func path(_ name: String) -> String { folder.appendingPathComponent("\(name).gguf").path }

    static func load(_ name: String) throws -> Fixture {
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
        return try JSONDecoder().decode(Fixture.self, from: data)
    }

    static func model(_ name: String) throws -> Model { try Model.load(path: path(name)) }

    /// The fixtures in the folder.
    static let names = [
        "falcon-h1", "gemma3", "gemma3n", "gemma4", "gemma4moe", "gpt-oss", "granite", "granitehybrid", "lfm2",
        "lfm2moe", "lfm3",
        "llama",
        "llama-3-scaling",
        "mistral3", "muse-glimmer", "nemotron-h", "nemotron-h-moe", "phi3", "qwen2",
        "qwen2-yarn", "qwen3", "qwen3-odd-heads", "qwen35", "qwen35moe", "qwen3moe", "qwen3next", "qwen3vl", "smollm3",
    ]
}

/// Files that are too large for the repository: the demo model in other quantisations.
enum ReferenceData {
    /// The folder, from the environment or beside the repository; nil where there is none.
    static let folder: URL? = {
        let given = ProcessInfo.processInfo.environment["OPEN_LEAP_SHARED"].map { URL(fileURLWithPath: $0) }
        let package = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent()
        let candidates = [given, package.deletingLastPathComponent().appendingPathComponent("shared")].compactMap { $0 }
        return candidates.first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("models").path) }
    }()

    static func model(_ name: String) -> String? {
        guard let path = folder?.appendingPathComponent("models/\(name)").path,
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        return path
    }

    static func floats(_ name: String) -> [Float]? {
        guard let path = model(name), let data = FileManager.default.contents(atPath: path) else { return nil }
        return LeapEngineTests.floats(in: data)
    }
}

/// Little-endian floats, one after the other.
func floats(in data: Data) -> [Float] {
    data.withUnsafeBytes { raw in
        (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
}

/// The most likely token of one row of logits.
func argmax(_ row: some Collection<Float>) -> TokenID {
    var best = -Float.infinity
    var index = 0
    for (i, value) in row.enumerated() where value > best {
        best = value
        index = i
    }
    return TokenID(index)
}
