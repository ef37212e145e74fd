import Foundation
import LeapTestSupport
import Testing

@testable import LeapEngine

struct SpeechDecoderTests {
    private static func load(_ vocoder: MadeVocoder, _ change: (inout [MadeVocoder.Tensor]) -> Void = { _ in }) throws
        -> SpeechDecoder
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("vocoder-\(UUID().uuidString).gguf")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try vocoder.write(to: path, change: change)
        return try SpeechDecoder.load(path: path)
    }

    /// Sizes as small as they may be.
    private static var small: MadeVocoder {
        var vocoder = MadeVocoder()
        (vocoder.input, vocoder.depth, vocoder.depthInner, vocoder.depthLayers) = (8, 16, 8, 1)
        (vocoder.length, vocoder.inner, vocoder.attention) = (8, 8, [false, true])
        vocoder.isZero = true
        return vocoder
    }

    @Test("A file without a tensor, or with one of another shape, is refused with the tensor's name")
    func shapes() throws {
        _ = try Self.load(Self.small)
        for tensor in Self.small.tensors.map(\.name) + ["istft.window"] {
            var vocoder = Self.small
            vocoder.omitted = [tensor]
            let error = #expect(throws: EngineError.self, "\(tensor)") { try Self.load(vocoder) }
            #expect(error?.field != nil, "\(tensor)")
        }
        for (index, tensor) in Self.small.tensors.enumerated() {
            let error = #expect(throws: EngineError.self, "\(tensor.name)") {
                try Self.load(Self.small) { $0[index].shape[$0[index].shape.count - 1] += 1 }
            }
            #expect(error?.field != nil, "\(tensor.name)")
        }
    }

    @Test("A decoder of another model is refused, and so is a file that is none")
    func otherModel() throws {
        var wide = Self.small
        wide.input = 96
        let decoder = try Self.load(wide)
        let error = #expect(throws: EngineError.self) {
            try Engine(model: try VisionFixture.model(), speech: decoder)
        }
        #expect(error?.code == .incompatibleModels)
        #expect(throws: EngineError.self) { try SpeechDecoder.load(path: Fixture.path("lfm2")) }
    }
}
