import CLeapKernels
import LeapTestSupport
import Testing

/// The way in which threads of unequal speed share the products of a pass, by the rule that the pool takes pieces with
/// and a clock of its own.
struct ScheduleTests {
    /// Rows and columns of a matrix.
    struct Shape: Sendable {
        let rows: Int
        let columns: Int
    }

    /// Products that one call computes, and how often a pass makes it.
    struct Call: Sendable {
        let shapes: [Shape]
        let times: Int
    }

    /// The products of one pass of a model, call by call; threads wait for each other after each.
    struct Network: Sendable, CustomTestStringConvertible {
        let name: String
        let layers: [Call]
        let vocabulary: Int

        var testDescription: String { name }

        private static let width = 2048
        private static let inner = 8192
        private static func layers(convolutions: Int, attentions: Int) -> [Call] {
            let square = Shape(rows: width, columns: width)
            let narrow = Shape(rows: 512, columns: width)
            let wide = Shape(rows: inner, columns: width)
            return [
                Call(shapes: [Shape(rows: 3 * width, columns: width)], times: convolutions),
                Call(shapes: [square, narrow, narrow], times: attentions),
                Call(shapes: [square], times: convolutions + attentions),
                Call(shapes: [wide, wide], times: convolutions + attentions),
                Call(shapes: [Shape(rows: width, columns: inner)], times: convolutions + attentions),
            ]
        }

        static let lfm2 = Network(
            name: "LFM2-1.2B", layers: layers(convolutions: 10, attentions: 6), vocabulary: 65_536)
        static let llama = Network(
            name: "Llama-3.2-1B", layers: layers(convolutions: 0, attentions: 16), vocabulary: 128_256)

        /// All calls, with the tokens of each: logits are those of the last token only.
        func calls(tokens: Int) -> [(call: Call, tokens: Int)] {
            layers.map { ($0, tokens) } + [(Call(shapes: [Shape(rows: vocabulary, columns: Self.width)], times: 1), 1)]
        }
    }

    /// Speeds of threads, the slow ones first: the order in which they are least welcome.
    struct Machine: Sendable, CustomTestStringConvertible {
        let name: String
        let speeds: [Double]

        var testDescription: String { name }

        init(_ name: String, slow: Int, speed: Double, of threads: Int) {
            self.name = name
            speeds = [Double](repeating: speed, count: slow) + [Double](repeating: 1, count: threads - slow)
        }

        static let few = [
            Machine("2 equal", slow: 0, speed: 1, of: 2), Machine("4 equal", slow: 0, speed: 1, of: 4),
            Machine("one of 4 at half speed", slow: 1, speed: 0.5, of: 4),
            Machine("2 + 2 at 0.4", slow: 2, speed: 0.4, of: 4), Machine("8 equal", slow: 0, speed: 1, of: 8),
            Machine("two of 8 at half speed", slow: 2, speed: 0.5, of: 8),
            Machine("4 + 4 at 0.4", slow: 4, speed: 0.4, of: 8), Machine("16 equal", slow: 0, speed: 1, of: 16),
        ]
        static let many = [
            Machine("two of 16 at half speed", slow: 2, speed: 0.5, of: 16),
            Machine("8 + 8 at 0.4", slow: 8, speed: 0.4, of: 16),
        ]
    }

    /// Returns the time at which the last piece of a call ends.
    ///
    /// A unit of rows takes a thread of speed 1 one unit of time.
    private static func duration(of cut: leap_cut, _ speeds: [Double]) -> Double {
        withUnsafePointer(to: cut) { cut in
            let threads = speeds.count
            var next = (0..<threads).map { leap_cut_begin(cut, Int32($0)) }
            let ends = (1...threads).map { leap_cut_begin(cut, Int32($0)) }
            var turns = [Int32](repeating: 0, count: threads)
            var free = [Double](repeating: 0, count: threads)
            // The thread that is free first takes the next piece; of several the slowest, which stands first: the worst
            // case.
            while let thread = (0..<threads).filter({ turns[$0] < threads }).min(by: { free[$0] < free[$1] }) {
                let stretch = Int(leap_cut_stretch(cut, Int32(thread), turns[thread]))
                guard next[stretch] < ends[stretch] else {
                    turns[thread] += 1
                    continue
                }
                let count = leap_cut_piece(cut, next[stretch], ends[stretch])
                next[stretch] += count
                free[thread] += Double(count) / speeds[thread]
            }
            return free.max() ?? 0
        }
    }

    /// The share of all threads' time in which they compute.
    private static func efficiency(
        _ network: Network, _ machine: Machine, type: TensorType, tokens: Int
    ) throws -> Double {
        let threads = machine.speeds.reduce(0, +)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var (ideal, taken) = (0.0, 0.0)
        for (call, tokens) in network.calls(tokens: tokens) where call.times > 0 {
            let jobs = call.shapes.map { shape in
                leap_matmul_job(
                    w: leap_matrix(
                        data: memory, type: type.id, rows: Int64(shape.rows), cols: Int64(shape.columns),
                        row_bytes: type.rowBytes(shape.columns)),
                    act: memory, gather: nil, tokens: Int64(tokens), out: memory, out_stride: Int64(shape.rows),
                    remainders: 0)
            }
            let cut = leap_matmul_cut(jobs, Int32(jobs.count), Int32(machine.speeds.count))
            try #require(cut.count > 0)
            let work = Double(call.shapes.reduce(0) { $0 + $1.rows * $1.columns } * tokens * call.times)
            taken += work / Double(cut.count) * duration(of: cut, machine.speeds)
            ideal += work / threads
        }
        return ideal / taken
    }

    private static let types = [LEAP_Q4_0, LEAP_Q4_K, LEAP_F16].map { TensorType(id: Int32($0)) }

    private static func expect(_ network: Network, _ machine: Machine, tokens: Int, atLeast bound: Double) throws {
        for name in TestLevel.cases(instructionSets, standard: 2) {
            try withInstructionSet(name) {
                for type in types {
                    let found = try efficiency(network, machine, type: type, tokens: tokens)
                    #expect(found >= bound, "\(name), \(type.name), \(tokens) tokens: \(found)")
                    #expect(found <= 1.000_001)
                }
            }
        }
    }

    @Test(
        "Two of eight slow cores, and other mixtures, leave no thread waiting for a tenth of the time",
        arguments: TestLevel.cases([Network.lfm2, .llama], standard: 1), Machine.few)
    func fewThreads(network: Network, machine: Machine) throws {
        for tokens in [1, 512] { try Self.expect(network, machine, tokens: tokens, atLeast: 0.9) }
    }

    /// Sixteen threads share 2,048 rows in units of 32: four each, of which a slow thread's last one is long.
    @Test("Sixteen threads of unequal speed wait for a quarter of the time at most", arguments: Machine.many)
    func manyThreads(machine: Machine) throws {
        for tokens in [1, 512] { try Self.expect(.lfm2, machine, tokens: tokens, atLeast: 0.75) }
    }

    @Test("Two and three threads take pieces of one size; four and more take smaller ones towards the end of a stretch")
    func pieces() {
        func sizes(_ cut: leap_cut) -> [Int64] {
            withUnsafePointer(to: cut) { cut in
                var sizes: [Int64] = []
                var at = leap_cut_begin(cut, 0)
                let end = leap_cut_begin(cut, 1)
                while at < end {
                    sizes.append(leap_cut_piece(cut, at, end))
                    at += sizes.last ?? 1
                }
                return sizes
            }
        }
        #expect(sizes(leap_cut(count: 64, grain: 8, least: 1, threads: 2)) == [8, 8, 8, 8])
        #expect(sizes(leap_cut(count: 80, grain: 4, least: 1, threads: 4)) == [4, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1])
        #expect(sizes(leap_cut(count: 80, grain: 4, least: 2, threads: 4)) == [4, 4, 2, 2, 2, 2, 2, 2])
        #expect(sizes(leap_cut(count: 80, grain: 4, least: 4, threads: 4)) == [4, 4, 4, 4, 4])
        // A call that is no multiple of its pieces.
        #expect(sizes(leap_cut(count: 10, grain: 4, least: 4, threads: 2)) == [4])
    }
}
