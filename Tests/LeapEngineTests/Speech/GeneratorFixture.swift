import Foundation
import LeapGGUF
import LeapTestSupport
import LeapTokenizer

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The results of numpy for the generator of sound that ``MadeGenerator`` writes; its language model is that of the pictures.
struct GeneratorFixture: Decodable {
    struct Frame: Decodable {
        let order: [Int]
        let codes: [UInt16]
        /// The first logits of each codebook, in the order in which passes draw them.
        let logits: [Float]
        let feedback: [Float]
    }

    /// Vectors of a language model, one for each frame.
    let hidden: [[Float]]
    let frames: [Frame]
    /// The frame that ends speech.
    let end: Int

    static func load() throws -> GeneratorFixture {
        try JSONDecoder().decode(
            GeneratorFixture.self, from: Data(contentsOf: Fixture.folder.appendingPathComponent("lfm3a-gen.json")))
    }

    private static let shared = Result { try decoder(MadeGenerator()) }

    /// The decoder of the reference.
    static func decoder() throws -> SpeechDecoder { try shared.get() }

    /// A decoder of other files.
    static func decoder(_ generator: MadeGenerator) throws -> SpeechDecoder {
        try SpeechDecoder(file: try file(generator))
    }

    static func file(_ generator: MadeGenerator) throws -> GGUFFile {
        var writer = GGUFWriter()
        writer.set("general.architecture", "clip")
        try generator.add(to: &writer)
        return try writer.file()
    }

    static func pass(threads: Int = 1, memory: MemoryPool = MemoryPool()) throws -> SpeechPass {
        SpeechPass(try decoder(), kernels: try Kernels(threads: threads), memory: memory)
    }

    static func engine(_ change: (inout EngineOptions) -> Void = { _ in }) throws -> Engine {
        var options = EngineOptions()
        options.threads = 2
        change(&options)
        return try Engine(model: try VisionFixture.model(), speech: try decoder(), options: options)
    }

    /// Chooses the most likely codes.
    static func greedy(_: Int, _: Int, _ logits: UnsafeMutableBufferPointer<Float>) -> Int? {
        logits.indices.max { logits[$0] < logits[$1] }
    }
}
