import Foundation
import LeapAudio
import LeapBase
import LeapGGUF
import LeapTestSupport

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// The results of numpy for frames with the codec that ``MadeCodec`` writes.
struct CodecFixture: Decodable {
    /// One for LFM3's layers and one for LFM2's.
    struct Kind: Decodable {
        let isLFM3: Bool
        let frames: [[UInt16]]
        let rows: [Int]
        let column: Int
        let spectra: [Float]
        let step: Int
        let wave: [Float]
    }

    let kinds: [Kind]

    static func kinds() throws -> [Kind] {
        let data = try Data(contentsOf: Fixture.folder.appendingPathComponent("codec.json"))
        return try JSONDecoder().decode(CodecFixture.self, from: data).kinds
    }

    /// The kind with LFM3's layers, whose codec is ``MadeCodec`` as it is.
    static func lfm3() throws -> Kind {
        guard let kind = try kinds().first(where: \.isLFM3) else { throw CocoaError(.coderReadCorrupt) }
        return kind
    }

    static func decoder(
        _ codec: MadeCodec = MadeCodec(), _ change: (MadeVocoder.Tensor) -> MadeVocoder.Tensor? = { $0 }
    ) throws -> CodeDecoder {
        try CodeDecoder(codec: WeightBinder(file: try codec.writer(change).file()))
    }

    static func pass(
        _ decoder: CodeDecoder, threads: Int = 1, memory: MemoryPool = MemoryPool()
    ) throws -> CodePass {
        CodePass(decoder, kernels: try Kernels(threads: threads), memory: memory)
    }

    /// The sound of spectra, from its beginning to its end.
    static func sound(_ spectra: [Float], of decoder: CodeDecoder) -> [Float] {
        var synthesis = SpectrumSynthesis(window: decoder.window, hop: CodeDecoder.hop)
        return synthesis.append(spectra) + synthesis.finish()
    }
}
