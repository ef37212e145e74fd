import LeapCPU
import LeapCompute
import LeapGGUF
import LeapModel
import LeapTestSupport
import Testing

@testable import LeapGPU

/// The codec of LFM3-Audio's speech, without a device.
struct CodecPlaceTests {
    @Test("All layers of the codec have kernels for a GPU, with LFM3's layers and with LFM2's")
    func split() throws {
        for isLFM3 in [true, false] {
            var codec = MadeCodec()
            codec.isLFM3 = isLFM3
            let stack = try CodeDecoder(codec: WeightBinder(file: try codec.writer().file())).stack
            let split = GPUSplit(stack, keyValueType: .f32)
            #expect(split.firstLayer == 0 && split.totalCount == 6 && split.obstacle == nil)
        }
    }
}

extension GPUTests {
    /// A codec whose layers a GPU computes.
    struct CodecSplitTests {
        @Test("Spectra are the processor's, and the same bits one frame at a time and all at once")
        func parity() throws {
            let decoder = try CodeDecoder(codec: WeightBinder(file: try MadeCodec().writer().file()))
            let cpu = try CPUDevice(threads: 1), report = DeviceReport()
            var offload = SpeechPass.Offload(decoder.stack, memory: MemoryPool())
            offload.suffix = try GPUPass.prepare(
                GPUPart(
                    role: .audioDecoder, stack: decoder.stack, split: GPUSplit(decoder.stack, keyValueType: .f32),
                    pageCount: 9),
                on: SharedGPU(try TestGPU.shared()), CPUWeightReader(), &offload.layout, report,
                onNotice: { Issue.record("\($0)") })
            let own = CodePass(decoder, kernels: cpu.kernels, offload: offload)
            let other = CodePass(decoder, kernels: cpu.kernels, memory: MemoryPool())
            let count = TestGPU.isBrief ? 2 : TestGPU.isEmulated ? 6 : 14
            let frames = (0..<count).map { frame in (0..<12).map { UInt16((frame * 997 + $0 * 131) % 2016) } }
            let (state, whole, expected) = (own.makeState(), own.makeState(), other.makeState())
            var pieces: [Float] = []
            for frame in frames { pieces += try own.spectra([(state, frame)])[0] }
            let all = frames.flatMap { $0 }
            #expect(try own.spectra([(whole, all)])[0] == pieces)
            let spectra = try other.spectra([(expected, all)])[0]
            let difference = zip(pieces, spectra).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(pieces.count == spectra.count && difference < 1e-3 && pieces != spectra)
            #expect(report.use.passes == count + 1 && report.use.processorPasses == 0)
        }
    }
}
