import Foundation
import LeapBase
import LeapCompute
import LeapDevices
import LeapGGUF
import LeapModel
import LeapTestSupport
import Testing

@testable import LeapCPU
@testable import LeapGPU

extension GPUTests {
    /// Encoders of pictures whose layers a GPU computes.
    struct TowerTests {
        /// An encoder's pass, and what a log and the statistics tell of it.
        private struct Reader {
            let pass: any MediaPass
            let device: SplitDevice
            let report = DeviceReport()
            let notices = Locked<[String]>([])

            init(
                _ encoder: VisionEncoder,
                open: @escaping () throws(GPUError) -> any GPUDevice = { () throws(GPUError) in try TestGPU.shared() }
            ) throws {
                device = SplitDevice(
                    try CPUDevice(threads: 1), model: try SplitRunner.fixture("lfm2"), layerCount: 0, pictures: report,
                    open: open, onNotice: { [notices] notice in notices.withLock { $0.append(notice) } })
                pass = try device.makePass(for: encoder, memory: MemoryPool())
            }

            func vectors(_ picture: ImagePatches) throws -> [Float] {
                try #require(try pass.encode(.image(picture), shouldContinue: { true }))
            }

            var said: [String] { notices.withLock { $0 } }
        }

        private static func cpu(_ encoder: VisionEncoder) throws -> VisionPass {
            VisionPass(encoder, kernels: try Kernels(threads: 1))
        }

        /// The largest difference of two lists of vectors as a share of the largest element.
        private static func difference(_ one: [Float], _ other: [Float]) -> Float {
            guard one.count == other.count, let largest = other.map({ abs($0) }).max(), largest > 0 else {
                return .infinity
            }
            return zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) } / largest
        }

        @Test(
            "Vectors of pictures, and those behind layers, are the processor's, with the same bits each time",
            arguments: TestGPU.isBrief ? [.lfm3] : TestGPU.isEmulated ? [.qwen3VL, .gemma4, .lfm3] : MadeTower.allCases)
        func parity(tower: MadeTower) throws {
            let encoder = try tower.encoder(), all = encoder.tower.stack.layers.count
            let gpu = try Reader(encoder), cpu = try Self.cpu(encoder)
            let pictures = Array(tower.pictures.prefix(TestGPU.isEmulated ? 1 : 2))
            #expect(gpu.report.use.layers == all && gpu.report.use.modelLayers == all && gpu.report.use.note == nil)
            #expect(gpu.said == ["pictures: \(gpu.report.use.device ?? "") runs \(all) of the encoder's \(all) layers"])
            let first = try pictures.map { try gpu.vectors($0) }
            for (picture, own) in zip(pictures, first) {
                let expected = try #require(try cpu.encode(picture))
                let difference = Self.difference(own, expected)
                print("largest difference of \(tower.rawValue) on the device: \(difference)")
                #expect(difference < 2e-6 && own != expected)
                #expect(own.count == expected.count && own.count % encoder.vectorStride == 0)
            }
            for (picture, own) in zip(pictures, first).reversed() { #expect(try gpu.vectors(picture) == own) }
            let use = gpu.report.use
            #expect(use.passes == 2 * pictures.count && use.processorPasses == 0 && use.failure == nil)
            #expect(gpu.pass.arithmetic?.contains(use.device ?? "none") == true && cpu.arithmetic == nil)
        }

        /// A pass whose last layers a device computes.
        private static func split(_ encoder: VisionEncoder, layers: Int) throws -> (
            pass: VisionPass, report: DeviceReport
        ) {
            var offload = VisionPass.Offload(encoder, memory: MemoryPool())
            let report = DeviceReport(), stack = encoder.tower.stack
            let split = GPUSplit(stack, layerCount: layers, keyValueType: .f32, isTower: true)
            #expect(split.firstLayer == stack.layers.count - layers && split.obstacle == nil)
            offload.suffix = try GPUPass.prepare(
                GPUPart(role: .imageEncoder, stack: stack, split: split, pageCount: 2),
                on: SharedGPU(try TestGPU.shared()), CPUWeightReader(),
                &offload.layout, report, onNotice: { Issue.record("\($0)") })
            return (VisionPass(encoder, kernels: try Kernels(threads: 1), offload), report)
        }

        @Test("Split at any layer, vectors behind layers on both sides are the processor's")
        func splits() throws {
            let encoder = try MadeTower.qwen3VL.encoder()
            let picture =
                TestGPU.isBrief ? MadeTower.picture(rows: 4, columns: 4) : MadeTower.picture(rows: 8, columns: 10)
            let expected = try #require(try Self.cpu(encoder).encode(picture))
            #expect(encoder.projector.additions.map(\.layer) == [1, 2] && encoder.tower.stack.layers.count == 4)
            for layers in TestGPU.isEmulated ? [2] : [1, 2, 3, 4] {
                let (pass, report) = try Self.split(encoder, layers: layers)
                let own = try #require(try pass.encode(picture))
                #expect(Self.difference(own, expected) < 2e-6 && own != expected, "\(layers) layers")
                #expect(report.use.passes == 1 && report.use.processorPasses == 0)
            }
        }

        @Test("A picture that is stopped in front of the device's layers is not computed by it")
        func stopping() throws {
            let encoder = try MadeTower.sigLIP.encoder(), picture = MadeTower.picture(rows: 4, columns: 4)
            let (pass, report) = try Self.split(encoder, layers: 1)
            var asked = 0
            let stopped = try pass.encode(picture) {
                asked += 1
                return asked < 2
            }
            #expect(stopped == nil && asked == 2 && report.use.passes == 0)
            #expect(try pass.encode(picture) != nil && report.use.passes == 1)
        }

        /// Vectors of no meaning.
        private struct Vectors: InputVectors {
            let rows: Rows
            func vector(at position: Int) -> UnsafePointer<Float> { UnsafePointer(rows.row(position)) }
        }

        @Test("GELU by its definition is computed as the processor does")
        func exactGELU() throws {
            let count = TestGPU.isBrief ? 20 : 70, width = 64
            var stack = try MadeTower.sigLIP.encoder().tower.stack, random = SeededGenerator(seed: 3)
            for index in stack.layers.indices {
                guard case .plain(var network)? = stack.layers[index].feedForward else { continue }
                network.activation = .exactGELU
                stack.layers[index].feedForward = .plain(network)
            }
            var inputs = random.floats(count * width)
            func output(onDevice: Bool) throws -> [Float] {
                var layout = VisionPass.layout(of: stack, memory: MemoryPool()), suffix: GPUPass?
                if onDevice {
                    let split = GPUSplit(stack, keyValueType: .f32, isTower: true)
                    suffix = try GPUPass.prepare(
                        GPUPart(role: .imageEncoder, stack: stack, split: split, pageCount: 2),
                        on: SharedGPU(try TestGPU.shared()), CPUWeightReader(), &layout, DeviceReport(),
                        onNotice: { _ in })
                    #expect(suffix?.model.layers.allSatisfy { $0.activation?.isExact == true } == true)
                }
                let pass = ForwardPass(stack, layout: layout, kernels: try Kernels(threads: 1), contextSize: .max)
                pass.suffix = suffix
                var all: [Float] = []
                try inputs.withUnsafeMutableBufferPointer { inputs in
                    let rows = Rows(base: try #require(inputs.baseAddress), count: count, length: width)
                    let segment = BatchSegment(
                        sequence: layout.makeSequence(limit: count), inputs: .vectors(count, Vectors(rows: rows)),
                        wanted: .all, output: .hidden)
                    _ = try pass.compute([segment]) { all = Array($0.values) }
                }
                #expect(suffix?.batchCount ?? 1 == 1)
                return all
            }
            // The two forms differ by more than that.
            let own = try output(onDevice: true), expected = try output(onDevice: false)
            #expect(Self.difference(own, expected) < 2e-6 && own != expected)
        }

        @Test(
            "Weights of other types give the vectors of what they stand for; rows of halves may have any length",
            arguments: TestGPU.isEmulated ? [.bf16] : [GGUFTensorType.f16, .bf16, .q8_0, .q4_0])
        func types(type: GGUFTensorType) throws {
            let encoder = try MadeTower.sigLIP.encoder(type)
            let picture = MadeTower.picture(rows: TestGPU.isBrief ? 4 : 6, columns: TestGPU.isBrief ? 6 : 12)
            guard case .plain(let network)? = encoder.tower.stack.layers[0].feedForward else {
                Issue.record("no plain network")
                return
            }
            #expect(network.down.columns == 80 && network.down.type == (type.blockSize == 1 ? type : .f16))
            // The processor rounds the inputs of quantised weights, the device does not: so it is compared with
            // unpacked ones.
            let unpacked = try MadeTower.sigLIP.encoder(type, isUnpacked: true)
            let expected = try #require(try Self.cpu(unpacked).encode(picture))
            let gpu = try Reader(encoder), difference = Self.difference(try gpu.vectors(picture), expected)
            print("largest difference of \(type.name) on the device: \(difference)")
            #expect(difference < 2e-6)
            #expect(gpu.report.use.passes == 1 && gpu.report.use.note == nil)
        }

        @Test("A picture with more patches than there is room for is encoded by the processor, which the log says once")
        func tooLarge() throws {
            let encoder = try MadeTower.sigLIP.encoder(), gpu = try Reader(encoder), cpu = try Self.cpu(encoder)
            let (large, small) = (MadeTower.picture(rows: 34, columns: 32), MadeTower.picture(rows: 4, columns: 6))
            let expected = try #require(try cpu.encode(large))
            for _ in 0..<2 { #expect(try gpu.vectors(large) == expected) }
            #expect(try gpu.vectors(small) != #require(try cpu.encode(small)))
            #expect(gpu.report.use.passes == 1 && gpu.report.use.processorPasses == 2 && gpu.report.use.layers == 2)
            #expect(
                gpu.said.count == 2 && gpu.said[1].contains("it has room for pictures of 1024 patches"), "\(gpu.said)")
        }

        @Test(
            "Rows of another length than a multiple of 32 are named, and the processor encodes",
            arguments: TestGPU.cases(MadeTower.allCases, brief: 2))
        func lengths(tower: MadeTower) throws {
            let encoder = try tower.fixture(), gpu = try Reader(encoder), picture = tower.pictures[0]
            #expect(gpu.report.use.note?.contains("rows of 48 weights have no kernel") == true)
            #expect(gpu.said.count == 1 && gpu.said[0].contains("the CPU runs the encoder"), "\(gpu.said)")
            #expect(try gpu.vectors(picture) == #require(try Self.cpu(encoder).encode(picture)))
            #expect(gpu.pass.arithmetic == nil)
        }

        @Test("At whatever call a device fails, from its opening to the last picture, the vectors are the processor's")
        func everyCall() throws {
            let real = try TestGPU.open(), compiled = CompiledKernels()
            let encoder = try MadeTower.qwen3VLMoE.encoder()
            let pictures = Array(MadeTower.qwen3VLMoE.pictures.prefix(TestGPU.isBrief ? 1 : 2))
            let cpu = try Self.cpu(encoder)
            let expected = try pictures.map { try #require(try cpu.encode($0)) }
            func reader(_ device: FaultyDevice) throws -> Reader {
                try Reader(encoder, open: { () throws(GPUError) in device })
            }
            let sound = FaultyDevice(real, compiled: compiled), whole = try reader(sound)
            let loadCount = sound.callCount
            for picture in pictures { _ = try whole.vectors(picture) }
            let total = sound.callCount
            print(
                "calls while an encoder is loaded: \(loadCount), and in \(pictures.count) pictures: \(total - loadCount)"
            )
            let errors: [GPUError] = [
                .lost, .outOfMemory(byteCount: 1), .driver(operation: "a call", result: -13), .invalid("a call"),
                .timedOut(seconds: 1),
            ]
            let calls = TestGPU.cases(stride(from: 0, to: total, by: TestGPU.isEmulated ? 29 : 1).map { $0 }, brief: 3)
            for (index, call) in calls.enumerated() {
                let device = FaultyDevice(real, compiled: compiled)
                device.fault = (call, errors[index % errors.count])
                let reader = try reader(device)
                for (picture, expected) in zip(pictures, expected) {
                    #expect(Self.difference(try reader.vectors(picture), expected) < 2e-6, "call \(call)")
                }
                let use = reader.report.use
                // Where memory for pages was refused, it was asked for in another way.
                if call >= loadCount, use.failure != nil || !device.refusedMemory {
                    #expect(use.failure != nil && use.layers == 0 && use.device != nil, "call \(call)")
                    #expect(use.passes + use.processorPasses == pictures.count && use.processorPasses > 0)
                    #expect(
                        reader.said.count == 2
                            && reader.said[1].contains("runs the encoder of pictures from here on"), "\(reader.said)")
                } else if use.device == nil {
                    #expect(use.note != nil && use.failure == nil && reader.said.count == 1, "call \(call)")
                    #expect(reader.pass.arithmetic == nil)
                } else {
                    // Memory that a driver does not take is copied.
                    #expect(use.processorPasses == 0 && reader.said.count == 1)
                }
            }
        }

        @Test("Behind a device that does not answer, a picture's keys and values lie where it does not write")
        func late() throws {
            let encoder = try MadeTower.sigLIP.encoder(), rows = TestGPU.isBrief ? 2 : 8
            let picture = MadeTower.picture(rows: rows, columns: 10)
            let device = FaultyDevice(try TestGPU.open())
            let reader = try Reader(encoder, open: { () throws(GPUError) in device })
            let arena = try #require(reader.device.imagePass?.arena)
            let own = try reader.vectors(picture)
            let pages = try #require(arena.chunks.first).buffer.contents
            #expect(pages.contains { $0 != 0 })
            device.fault = (device.callCount + 1, .timedOut(seconds: 1))
            let other = MadeTower.picture(rows: rows, columns: 10, seed: 8)
            let expected = try #require(try Self.cpu(encoder).encode(other))
            #expect(Self.difference(try reader.vectors(other), expected) < 2e-6 && own != expected)
            #expect(reader.report.use.failure != nil)
            // Its pages were emptied for the second picture, and nothing wrote to them since.
            #expect(arena.chunks.count == 1 && pages.bindMemory(to: UInt64.self).allSatisfy { $0 == 0 })
        }

        /// Encoders with the kernels that each of them has besides, as an emulation tries them.
        static let ownKernels: [(tower: MadeTower, entries: Set<String>)] = [
            (.sigLIP, ["layer_norm", "gelu_tanh"]), (.gemma4, ["clamp_rows", "gelu_times"]),
            (.lfm3, ["grid_convolution"]),
        ]

        @Test(
            "A device that leaves out a kernel is found out when the encoder is loaded",
            arguments: TestGPU.cases(ownKernels, brief: 1))
        func lies(tower: MadeTower, own: Set<String>) throws {
            let real = try TestGPU.open(), compiled = CompiledKernels(), encoder = try tower.encoder()
            func reader(without entry: String?) throws -> Reader {
                let device = FaultyDevice(real, compiled: compiled)
                device.ignored = entry
                return try Reader(encoder, open: { () throws(GPUError) in device })
            }
            #expect(try reader(without: nil).report.use.layers > 0)
            let picture = try #require(tower.pictures.first)
            let expected = try #require(try Self.cpu(encoder).encode(picture))
            let entries = Set(compiled.pipelines.keys.map(\.entry))
            #expect(entries.isSuperset(of: own.union(["place_f32", "attention_f32"])))
            for entry in entries.sorted() where !TestGPU.isEmulated || own.contains(entry) {
                let reader = try reader(without: entry)
                if reader.report.use.layers == 0 {
                    #expect(reader.device.imagePass == nil, "\(entry)")
                } else {
                    // Other kernels stand in for it.
                    #expect(Self.difference(try reader.vectors(picture), expected) < 2e-6, "\(entry)")
                }
                #expect(reader.said.first?.contains("wrong results") == true, "\(entry)")
            }
        }

        @Test("The demo model's encoder has the processor's vectors")
        func demo() throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(
                    path: "Sources/LeapVisionDemoModel/Resources/mmproj-leap-vision-demo-Q8_0.gguf")
            let encoder = try VisionEncoder.load(path: file.path), side = TestGPU.isBrief ? 4 : 8
            let picture = MadeTower.picture(rows: side, columns: side)
            let gpu = try Reader(encoder), own = try gpu.vectors(picture)
            #expect(gpu.report.use.layers == encoder.tower.stack.layers.count && gpu.report.use.passes == 1)
            let difference = Self.difference(own, try #require(try Self.cpu(encoder).encode(picture)))
            print("largest difference of the demo model's encoder on the device: \(difference)")
            #expect(difference < 3e-2)
        }
    }
}
