#if LEAP_METAL_TESTS && !canImport(Darwin)
    import Foundation
    import LeapGPU
    import LeapTestSupport
    import Metal
    import Testing

    @testable import LeapMetalOverStub

    extension GPUTests {
        /// Kernels and commands with a barrier less: the emulation has to show each of them.
        struct MetalBarrierTests {
            private static let barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);"
            private let stub = StubDevice()

            /// The result of a kernel's text.
            private enum Outcome: Equatable {
                case bits([UInt32])
                case failure(String)
            }

            /// Compiles a text and runs it.
            private func outcome(
                _ kernel: GPUKernel, _ source: String, _ run: (TestGPU, MetalPipeline) throws -> [Float]
            ) throws -> Outcome {
                let device = try MetalDevice(stub)
                var text = try #require(try MetalKernelText.of(kernel))
                text.source = source
                let state = try MetalCompiler.compile(text, stub).get()
                stub.withState { $0.problems = [] }
                do {
                    return .bits(
                        try run(try TestGPU(device), MetalPipeline(device, state, kernel, text)).map(\.bitPattern))
                } catch {
                    return .failure(stub.withState { $0.problems.first } ?? "\(error)")
                }
            }

            private func carryOut(
                _ gpu: TestGPU, _ pipeline: MetalPipeline, _ bindings: [any GPUBuffer], _ constants: [UInt32],
                groups: (Int, Int)
            ) throws {
                let commands = try gpu.device.makeCommands()
                try commands.dispatch(
                    pipeline, bindings.map { GPUBinding($0) }, constants: constants, groups: (groups.0, groups.1, 1))
                try commands.submit()
                try commands.wait(seconds: 60)
            }

            /// Attention of one head over 100 positions of two pages, for several tokens.
            private func attend(_ gpu: TestGPU, _ pipeline: MetalPipeline) throws -> [Float] {
                var generator = SeededGenerator(seed: 9)
                let (length, tokens, page) = (64, 12, 64)
                let keys = try gpu.buffer(generator.floats(2 * length * page))
                let values = try gpu.buffer(generator.floats(2 * length * page))
                let queries = try gpu.buffer(generator.floats(tokens * length)), out = try gpu.output(tokens * length)
                let pages = try gpu.buffer([UInt32(0), UInt32(2 * length * page)])
                let seen: [UInt32] = (0..<tokens).flatMap { [0, 0, UInt32(100 - $0), 0] }
                let ranges = try gpu.buffer(seen), scale: Float = 0.125
                try carryOut(
                    gpu, pipeline, [queries, keys, values, pages, ranges, out, pages],
                    [1, 1, UInt32(length), scale.bitPattern, 0, 0, UInt32(length), 1, 0, 0, 2],
                    groups: (1, tokens))
                return out.floats
            }

            /// Heads that are normed and rotated, with pairs of elements that different threads have.
            private func place(_ gpu: TestGPU, _ pipeline: MetalPipeline) throws -> [Float] {
                var generator = SeededGenerator(seed: 10)
                let (length, tokens, pairs) = (64, 8, 20)
                let rows = try gpu.buffer(generator.floats(tokens * 3 * length))
                let gains = try gpu.buffer(generator.floats(2 * length))
                let turns = try gpu.buffer(generator.floats(2 * tokens * pairs))
                let pages = try gpu.buffer([Float](repeating: 0, count: 2 * length * 64))
                let table: [UInt32] = (0..<tokens).flatMap { [0, UInt32($0)] }
                let slots = try gpu.buffer(table), epsilon: Float = 1e-5
                try carryOut(
                    gpu, pipeline, [rows, gains, turns, pages, slots],
                    [
                        UInt32(tokens), 1, 1, UInt32(length), 1, epsilon.bitPattern, UInt32(pairs), 0, 1, 0,
                        UInt32(2 * length * 64),
                    ], groups: (groups(3 * tokens, of: GPUKernel.rowsPerGroup), 1))
                return rows.floats + pages.floats
            }

            /// The places of barriers in a text.
            private func barriers(_ source: String) -> [Range<String.Index>] { source.ranges(of: Self.barrier) }

            @Test("A barrier that is left out of a kernel shows, whichever it is")
            func leftOut() throws {
                let kernels: [(GPUKernel, (TestGPU, MetalPipeline) throws -> [Float])] = [
                    (.attentionF32, attend), (.placeF32, place),
                ]
                for (kernel, run) in kernels {
                    let source = try #require(try MetalKernelText.of(kernel)).source
                    let expected = try outcome(kernel, source, run)
                    guard case .bits(let bits) = expected else {
                        Issue.record("\(kernel.entry): \(expected)")
                        continue
                    }
                    #expect(bits.allSatisfy { !Float(bitPattern: $0).isNaN })
                    // In whatever order threads run.
                    for _ in 0..<TestLevel.rounds(2, all: 5) { #expect(try outcome(kernel, source, run) == expected) }
                    let barriers = barriers(source)
                    #expect(!barriers.isEmpty)
                    // Sums over a row are of shuffles here: the barriers of devices without them are not reached.
                    let reached = barriers.filter { !isInSumOfRow($0, of: source) }
                    #expect(!reached.isEmpty)
                    for range in reached {
                        let changed = source.replacingCharacters(in: range, with: "")
                        // Some order of a few.
                        let shows = try (0..<8).contains { _ in try outcome(kernel, changed, run) != expected }
                        let line = source[..<range.lowerBound].count { $0 == "\n" } + 1
                        #expect(shows, "\(kernel.entry), line \(line)")
                    }
                }
            }

            /// Returns whether a place is in the function that sums over rows.
            private func isInSumOfRow(_ range: Range<String.Index>, of source: String) -> Bool {
                guard let start = source.range(of: "float sumOfRow_0(")?.lowerBound, start < range.lowerBound,
                    let end = source[start...].range(of: "\nreturn ")?.upperBound
                else { return false }
                return range.lowerBound < end
            }

            @Test("A barrier that only some threads reach ends the commands")
            func divergent() throws {
                let source = try #require(try MetalKernelText.of(.attentionF32)).source
                let range = try #require(barriers(source).last)
                let changed = source.replacingCharacters(in: range, with: "if (lane_3 != 0U) \(Self.barrier)")
                guard case .failure(let problem) = try outcome(.attentionF32, changed, attend) else {
                    Issue.record("nothing was noticed")
                    return
                }
                #expect(problem == "attention_f32: a barrier that not all threads reach")
            }

            @Test("Runs without a barrier between them show in any order")
            func commands() throws {
                let gpu = try TestGPU(try MetalDevice(stub)), count = 1000
                let ones = try gpu.buffer([Float](repeating: 1, count: count))
                let pipeline = try gpu.device.makePipeline(.add)
                func sum(_ isOrdered: Bool) throws -> [Float] {
                    let sums = try [gpu.buffer([Float](repeating: 0, count: count)), gpu.output(count)]
                    let commands = try gpu.device.makeCommands()
                    for step in 0..<30 {
                        try commands.dispatch(
                            pipeline, [GPUBinding(sums[step % 2]), GPUBinding(ones), GPUBinding(sums[(step + 1) % 2])],
                            constants: [UInt32(count)], groups: (groups(count, of: GPUKernel.elementsPerGroup), 1, 1))
                        if isOrdered { try commands.barrier() }
                    }
                    try commands.submit()
                    try commands.wait(seconds: 60)
                    return sums[0].floats
                }
                let thirty = [Float](repeating: 30, count: count)
                #expect(try sum(true) == thirty)
                #expect(try sum(false) != thirty)
            }
        }
    }
#endif
