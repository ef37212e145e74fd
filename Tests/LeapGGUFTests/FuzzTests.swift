import Foundation
import LeapGGUF
import LeapTestSupport
import Testing

/// Damaged files: none may do anything but open or throw a ``GGUFError``.
///
/// `OPEN_LEAP_FUZZ_ITERATIONS` sets how many are tried, `OPEN_LEAP_FUZZ_SEED` where to begin. Chunks run one after the
/// other, so if the process dies, the chunk that was started last did it.
@Suite(.serialized) struct FuzzTests {
    static let environment = ProcessInfo.processInfo.environment
    static let iterations =
        environment["OPEN_LEAP_FUZZ_ITERATIONS"].flatMap { Int($0) } ?? TestLevel.rounds(10_000, all: 100_000)
    static let firstSeed = environment["OPEN_LEAP_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    static let chunkCount = 20

    @Test("Mutated files open or throw", .timeLimit(.minutes(60)), arguments: 0..<chunkCount)
    func mutations(chunk: Int) throws {
        let each = (Self.iterations + Self.chunkCount - 1) / Self.chunkCount
        let originals = try Self.originals()
        var opened = 0
        for index in 0..<each {
            let seed = Self.firstSeed &+ UInt64(chunk * each + index)
            var generator = SeededGenerator(seed: seed)
            let original = originals[Int.random(in: 0..<originals.count, using: &generator)]
            let bytes = Self.mutated(original, using: &generator)
            do {
                let file = try GGUFFile.parse(bytes: bytes)
                opened += walk(file) == 0 ? 0 : 1
            } catch is GGUFError {
                continue
            } catch {
                Issue.record("seed \(seed): \(error) is not a GGUFError")
            }
        }
        // Some mutations hit values that may be anything; if none does, or all do, the fuzzer tests nothing.
        #expect(opened > 0 && opened < each, "\(opened) of \(each) mutated files opened")
    }

    @Test("A file cut at any byte throws, and says that it is cut")
    func truncations() throws {
        var generator = SeededGenerator(seed: 3)
        var model = RandomModel(using: &generator, size: 12)
        while model.tensors.isEmpty || model.metadata.isEmpty { model = RandomModel(using: &generator, size: 12) }
        let bytes = try model.writer().bytes()
        // The padding after the last tensor may be missing.
        let file = try GGUFFile.parse(bytes: bytes)
        let end = file.tensors.map { $0.fileOffset + $0.byteCount }.max() ?? 0
        for count in 0..<end {
            let found = error { try GGUFFile.parse(bytes: Array(bytes[..<count])) }
            let code = try #require(found?.code, "cut at \(count) of \(end)")
            switch count {
            case 0: #expect(code == .empty)
            case 1...3: #expect(code == .notGGUF)
            default: #expect(code == .truncated, "cut at \(count) of \(end)")
            }
        }
        #expect(error { try GGUFFile.parse(bytes: Array(bytes[..<end])) } == nil)
    }

    @Test("Every single flipped bit of a header opens or throws")
    func bitFlips() throws {
        let original = try Self.originals()[0]
        var bytes = original
        for position in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                bytes[position] ^= 1 << bit
                do {
                    #expect(walk(try GGUFFile.parse(bytes: bytes)) != 0)
                } catch {
                    #expect(error is GGUFError, "bit \(bit) of byte \(position): \(error)")
                }
                bytes[position] = original[position]
            }
        }
    }

    @Test("Noise after a good beginning opens or throws")
    func noise() {
        for seed in 1...UInt64(TestLevel.rounds(2500, all: 20_000)) {
            var generator = SeededGenerator(seed: seed)
            var header = HeaderBytes(
                tensors: UInt64.random(in: 0...3, using: &generator), keys: UInt64.random(in: 0...3, using: &generator))
            header.bytes += (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                // Mostly zeros, as in real headers, so that lengths are often plausible.
                Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...12, using: &generator)
            }
            do {
                #expect(walk(try GGUFFile.parse(bytes: header.bytes)) != 0)
            } catch {
                #expect(error is GGUFError, "seed \(seed): \(error)")
            }
        }
    }

    /// A few small files that together have every kind of value and of tensor.
    private static func originals() throws -> [[UInt8]] {
        var full = GGUFWriter()
        full.set("general.architecture", "lfm2")
        full.set("general.alignment", .uint32(32))
        full.set("lfm2.block_count", .uint32(2))
        full.set("lfm2.attention.head_count_kv", .array(GGUFArray([0, 8] as [Int32])))
        full.set("tokenizer.ggml.tokens", .array(GGUFArray((0..<70).map { "t\($0)" })))
        full.set(
            "nested",
            .array(try GGUFArray(arrays: [GGUFArray(["a", "b"]), GGUFArray([true]), GGUFArray([1.5] as [Float])])))
        full.set("split.count", .uint16(1))
        try full.add(tensor: "token_embd.weight", type: .q8_0, shape: [32, 2], bytes: [UInt8](repeating: 1, count: 68))
        try full.add(tensor: "output_norm.weight", shape: [4], floats: [1, 2, 3, 4])

        var generator = SeededGenerator(seed: 11)
        return try [full.bytes()] + (0..<6).map { _ in try RandomModel(using: &generator, size: 6).writer().bytes() }
    }

    private static func mutated(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            // Mostly in the header, which is in front.
            let position = min(
                Int.random(in: 0..<bytes.count, using: &generator), Int.random(in: 0..<bytes.count, using: &generator))
            switch Int.random(in: 0...9, using: &generator) {
            case 0, 1: bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 2, 3: bytes[position] = UInt8.random(in: 0...255, using: &generator)
            case 4, 5: overwrite(&bytes, at: position, interesting.randomElement(using: &generator) ?? 0, count: 8)
            case 6: overwrite(&bytes, at: position, interesting.randomElement(using: &generator) ?? 0, count: 4)
            case 7:
                bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...40, using: &generator)))
            case 8:
                let end = min(bytes.count, position + Int.random(in: 1...40, using: &generator))
                bytes.insert(contentsOf: bytes[position..<end], at: position)
            default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            }
        }
        return bytes
    }

    private static let interesting: [UInt64] = [
        0, 1, 2, 3, 4, 7, 8, 9, 12, 13, 16, 31, 32, 33, 63, 64, 255, 256, 65_535, 65_536, 1 << 20, 1 << 28, 1 << 31,
        1 << 32 - 1, 1 << 32, 1 << 40, 1 << 61, 1 << 62, 1 << 63 - 1, 1 << 63, .max - 7, .max - 1, .max,
    ]

    private static func overwrite(_ bytes: inout [UInt8], at position: Int, _ value: UInt64, count: Int) {
        for (index, byte) in withUnsafeBytes(of: value.littleEndian, Array.init).prefix(count).enumerated()
        where position + index < bytes.count {
            bytes[position + index] = byte
        }
    }
}
