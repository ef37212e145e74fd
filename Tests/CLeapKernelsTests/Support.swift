import CLeapKernels
import LeapTestSupport
import Testing

/// A tensor type by its name in GGUF files.
struct TensorType: CustomTestStringConvertible, Sendable {
    let id: Int32

    var name: String { leap_type_name(id).map { String(cString: $0) } ?? "type \(id)" }
    var testDescription: String { name }
    var blockElements: Int { Int(leap_type_block_elements(id)) }
    var blockBytes: Int { Int(leap_type_block_bytes(id)) }

    func rowBytes(_ columns: Int) -> Int { leap_row_bytes(id, Int64(columns)) }

    /// Every type that has kernels, by identifier.
    static let all = (0..<Int32(LEAP_TENSOR_TYPE_LIMIT)).filter { leap_type_name($0) != nil }.map { TensorType(id: $0) }

    static let quantized = all.filter { $0.blockElements > 1 }

    static let floats = all.filter { $0.blockElements == 1 }

    private var layout: leap_tensor_type? { leap_tensor_type_find(Int64(id))?.pointee }

    /// The offsets at which a block holds half-precision numbers, which random bytes must not turn into infinities.
    var halfOffsets: [Int] {
        guard let layout else { return [] }
        let scale = Int(layout.scale_format) == LEAP_SCALE_HALF ? layout.scale_at : -1
        return [scale, layout.min_at].filter { $0 >= 0 }.map(Int.init)
    }

    /// The offset at which a block holds a half-precision number in the upper bits of four numbers of 16 bits.
    var splitHalfOffset: Int? {
        layout.flatMap { Int($0.scale_format) == LEAP_SCALE_SPLIT_HALF ? Int($0.scale_at) : nil }
    }

    /// The offset at which a block holds an exponent of eight bits.
    var exponentOffset: Int? {
        layout.flatMap { Int($0.scale_format) == LEAP_SCALE_E8M0 ? Int($0.scale_at) : nil }
    }
}

/// A matrix of random blocks.
struct Weights {
    let type: TensorType
    let rows: Int
    let columns: Int
    let bytes: [UInt8]

    private init(type: TensorType, rows: Int, columns: Int, bytes: [UInt8]) {
        self.type = type
        self.rows = rows
        self.columns = columns
        self.bytes = bytes
    }

    /// The same scales and minimums with all other bytes of a row replaced by one of the codes, in turn.
    func with(codes: [UInt8]) -> Weights {
        let rowBytes = type.rowBytes(columns)
        var kept = type.halfOffsets.flatMap { [$0, $0 + 1] }
        kept += type.exponentOffset.map { [$0] } ?? []
        kept += type.splitHalfOffset.map { Array($0..<$0 + 8) } ?? []
        let replaced = bytes.indices.map {
            kept.contains($0 % rowBytes % type.blockBytes) ? bytes[$0] : codes[$0 / rowBytes % codes.count]
        }
        return Weights(type: type, rows: rows, columns: columns, bytes: replaced)
    }

    init(type: TensorType, rows: Int, columns: Int, using generator: inout SeededGenerator) {
        self.type = type
        self.rows = rows
        self.columns = columns
        var bytes = [UInt8](repeating: 0, count: type.rowBytes(columns) * rows)
        for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        for start in stride(from: 0, to: bytes.count, by: type.blockBytes) {
            if type.blockElements == 1 {
                let value = Float.random(in: -1...1, using: &generator)
                for (offset, byte) in Weights.bytes(of: value, type: type).enumerated() { bytes[start + offset] = byte }
            }
            if let offset = type.exponentOffset {
                bytes[start + offset] = UInt8.random(in: 118...126, using: &generator)
            }
            for offset in type.halfOffsets {
                let half = Weights.randomHalf(using: &generator)
                bytes[start + offset] = UInt8(half & 255)
                bytes[start + offset + 1] = UInt8(half >> 8)
            }
            if let offset = type.splitHalfOffset {
                let half = Weights.randomHalf(using: &generator)
                for part in 0..<4 {
                    let at = start + offset + 2 * part + 1
                    bytes[at] = bytes[at] & 15 | UInt8(half >> (4 * part) & 15) << 4
                }
            }
        }
        self.bytes = bytes
    }

    /// A normal number between about 0.008 and 0.03, of either sign.
    private static func randomHalf(using generator: inout SeededGenerator) -> UInt16 {
        UInt16.random(in: 0x2000...0x27ff, using: &generator) | (Bool.random(using: &generator) ? 0x8000 : 0)
    }

    private static func bytes(of value: Float, type: TensorType) -> [UInt8] {
        let bits = value.bitPattern
        switch Int(type.id) {
        case Int(LEAP_F32): return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        case Int(LEAP_BF16): return [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 24)]
        default:
            // A half of 2^-1...2^1 with the float's leading mantissa bits.
            let half = UInt16(0x3800 | (bits >> 13 & 0x7ff)) | UInt16(bits >> 16 & 0x8000)
            return [UInt8(half & 255), UInt8(half >> 8)]
        }
    }

    /// The rows as floats, on the instruction set in use.
    func dequantized() -> [[Float]] {
        bytes.withUnsafeBytes { raw in
            (0..<rows).map { row in
                guard let base = raw.baseAddress else { return [] }
                return [Float](unsafeUninitializedCapacity: columns) { buffer, count in
                    if let out = buffer.baseAddress {
                        leap_dequantize_row(type.id, base + row * type.rowBytes(columns), out, Int64(columns))
                    }
                    count = columns
                }
            }
        }
    }
}

/// A pool that is destroyed with its owner.
final class TestPool {
    private let pointer: OpaquePointer

    init(threads: Int32) throws { pointer = try #require(leap_pool_create(threads)) }

    deinit { leap_pool_destroy(pointer) }

    /// Runs body with the pool, which stays alive meanwhile.
    func use<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) { try body(pointer) }
    }
}

/// Input vectors prepared as `kind` on the instruction set in use, as the raw words of an aligned buffer.
struct Activations {
    private(set) var bytes: [UInt8] = []
    let tokens: Int
    /// The index of the first record of what rounding has taken; 0 where nothing of it is kept.
    let remainders: Int

    init(_ x: [Float], columns: Int, kind: Int32, inParts: Bool = false, pool: TestPool) {
        let tokens = x.count / columns
        let parts = inParts ? Int(leap_activation_parts(kind)) : 1
        self.tokens = tokens
        remainders = parts > 1 ? tokens : 0
        let byteCount = leap_activation_bytes(kind, Int64(columns), Int64(parts * tokens))
        bytes = Activations.withAligned(byteCount) { buffer in
            for index in buffer.indices { buffer[index] = 0 }
            guard let base = buffer.baseAddress else { return [] }
            let (columns, tokens) = (Int64(columns), Int64(tokens))
            pool.use { pool in
                guard parts > 1 else { return leap_activation_prepare(pool, kind, x, columns, columns, tokens, base) }
                var rest = [Float](repeating: .nan, count: x.count)
                leap_activation_prepare_parts(pool, kind, x, columns, columns, tokens, &rest, base)
            }
            return Array(buffer)
        }
    }

    /// Runs body with the prepared vectors at an address that kernels accept.
    func use<R>(_ body: (UnsafeRawPointer) throws -> R) throws -> R {
        try Activations.withAligned(bytes.count) { buffer in
            buffer.copyBytes(from: bytes)
            return try body(UnsafeRawPointer(try #require(buffer.baseAddress)))
        }
    }

    private static func withAligned<R>(_ byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows
        -> R
    {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: Int(LEAP_ALIGNMENT))
        defer { buffer.deallocate() }
        return try body(buffer)
    }
}

/// x [tokens][columns] times the transposed weights: [tokens][rows], on the instruction set in use.
///
/// - Parameter inParts: whether what rounding takes from inputs is multiplied too.
func product(
    _ weights: Weights, _ x: [Float], pool: TestPool, gather: [Int32]? = nil, inParts: Bool = false
) throws -> [Float] {
    let columns = weights.columns
    let activations = Activations(
        x, columns: columns, kind: leap_activation_kind(weights.type.id), inParts: inParts, pool: pool)
    let tokens = gather?.count ?? activations.tokens
    var out = [Float](repeating: .nan, count: tokens * weights.rows)
    try activations.use { act in
        try weights.bytes.withUnsafeBytes { bytes in
            let data = try #require(bytes.baseAddress)
            out.withUnsafeMutableBufferPointer { out in
                guard let result = out.baseAddress else { return }
                func run(_ gather: UnsafePointer<Int32>?) {
                    var job = leap_matmul_job(
                        w: leap_matrix(
                            data: data, type: weights.type.id, rows: Int64(weights.rows), cols: Int64(columns),
                            row_bytes: weights.type.rowBytes(columns)),
                        act: act, gather: gather, tokens: Int64(tokens), out: result, out_stride: Int64(weights.rows),
                        remainders: Int64(activations.remainders))
                    pool.use { leap_matmul($0, &job, 1) }
                }
                if let gather {
                    gather.withUnsafeBufferPointer { run($0.baseAddress) }
                } else {
                    run(nil)
                }
            }
        }
    }
    return out
}

/// Runs body with this thread's kernel calls on one instruction set.
func withInstructionSet<R>(_ name: String, _ body: () throws -> R) rethrows -> R {
    #expect(leap_isa_select(name) == 0, "\(name) is listed as supported")
    defer { leap_isa_select(nil) }
    return try body()
}

/// The instruction sets this machine supports, scalar first.
let instructionSets: [String] = {
    var names: [String] = []
    while let name = leap_isa_at(Int32(names.count)) { names.append(String(cString: name)) }
    return names
}()

/// Numbers around zero with an occasional large one, as activations are.
///
/// Each is made of one draw, in code that calls nothing generic: without optimisation that is several times as fast.
func randomInput(_ count: Int, using generator: inout SeededGenerator) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { numbers, written in
        while written < count {
            let bits = generator.next()
            let value = Float(bits & 0xff_ffff) * 0x1p-22 - 2
            numbers[written] = bits >> 57 == 0 ? value * 20 : value
            written += 1
        }
    }
}
