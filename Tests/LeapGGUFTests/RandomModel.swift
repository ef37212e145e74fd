import LeapGGUF
import LeapTestSupport

/// A random model: what was put in, to compare with what comes out.
struct RandomModel {
    struct Tensor {
        var name: String
        var type: GGUFTensorType
        var shape: [Int]
        var bytes: [UInt8]
    }

    var metadata: [(key: String, value: GGUFValue)] = []
    var tensors: [Tensor] = []
    var alignment = 32

    /// A model with every kind of value and up to `size` keys and tensors, decided by the generator alone.
    init(using generator: inout SeededGenerator, size: Int) {
        alignment = [1, 2, 8, 16, 32, 64, 256].randomElement(using: &generator) ?? 32
        for index in 0..<Int.random(in: 0...size, using: &generator) {
            metadata.append(("key.\(index)", Self.value(depth: 0, size: size, using: &generator)))
        }
        let types: [GGUFTensorType] =
            [.f32, .f16, .bf16, .q4_0, .q8_0, .q4_K, .q6_K, .iq4_xs]
            + [16, 29, 34, 41, 42].map(GGUFTensorType.init(rawValue:))
        for index in 0..<Int.random(in: 0...size, using: &generator) {
            let type = types.randomElement(using: &generator) ?? .f32
            var shape = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                Int.random(in: 1...3, using: &generator)
            }
            shape[0] *= type.blockSize
            let count = shape.reduce(1, *) / type.blockSize * type.blockByteCount
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            tensors.append(Tensor(name: "blk.\(index).weight", type: type, shape: shape, bytes: bytes))
        }
    }

    func writer() throws -> GGUFWriter {
        var writer = GGUFWriter(alignment: alignment)
        for (key, value) in metadata { writer.set(key, value) }
        for tensor in tensors {
            try writer.add(tensor: tensor.name, type: tensor.type, shape: tensor.shape, bytes: tensor.bytes)
        }
        return writer
    }

    private static func value(depth: Int, size: Int, using generator: inout SeededGenerator) -> GGUFValue {
        func integer<T: FixedWidthInteger>(_: T.Type) -> T { T.random(in: .min ... .max, using: &generator) }
        func list<T: FixedWidthInteger>(_: T.Type) -> [T] {
            (0..<Int.random(in: 0...size, using: &generator)).map { _ in integer(T.self) }
        }
        switch Int.random(in: 0...(depth < 3 ? 24 : 12), using: &generator) {
        case 0: return .uint8(integer(UInt8.self))
        case 1: return .int8(integer(Int8.self))
        case 2: return .uint16(integer(UInt16.self))
        case 3: return .int16(integer(Int16.self))
        case 4: return .uint32(integer(UInt32.self))
        case 5: return .int32(integer(Int32.self))
        case 6: return .uint64(integer(UInt64.self))
        case 7: return .int64(integer(Int64.self))
        // Finite, because NaN is not equal to itself.
        case 8: return .float32(Float.random(in: -1e30...1e30, using: &generator))
        case 9: return .float64(Double.random(in: -1e300...1e300, using: &generator))
        case 10: return .bool(Bool.random(using: &generator))
        case 11, 12: return .string(string(size: size, using: &generator))
        case 13: return .array(GGUFArray(list(UInt8.self)))
        case 14: return .array(GGUFArray(list(Int16.self)))
        case 15: return .array(GGUFArray(list(UInt32.self)))
        case 16: return .array(GGUFArray(list(Int64.self)))
        case 17: return .array(GGUFArray(list(Int32.self).map { Float($0) }))
        case 18: return .array(GGUFArray(list(Int32.self).map { Double($0) }))
        case 19: return .array(GGUFArray(list(UInt8.self).map { $0 < 128 }))
        case 20: return .array(GGUFArray((0..<3 * size).map { _ in string(size: 9, using: &generator) }))
        case 21, 22: return .array(GGUFArray((0..<size).map { _ in string(size: size, using: &generator) }))
        default:
            let inner = (0..<Int.random(in: 0...4, using: &generator)).compactMap { _ -> GGUFArray? in
                if case .array(let array) = value(depth: depth + 1, size: size / 2, using: &generator) {
                    array
                } else {
                    nil
                }
            }
            return (try? GGUFArray(arrays: inner)).map { .array($0) } ?? .bool(false)
        }
    }

    private static func string(size: Int, using generator: inout SeededGenerator) -> GGUFString {
        GGUFString(
            bytes: (0..<Int.random(in: 0...size, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            })
    }
}

/// Touches everything a file gives access to, as an engine, a tokenizer and `inspect` would.
///
/// - Returns: a number that depends on all of it, so that nothing is left out by the optimiser.
func walk(_ file: GGUFFile) -> Int {
    var sum = file.byteCount &+ file.alignment
    func visit(_ value: GGUFValue) {
        sum &+= value.unsignedInteger.map { Int(truncatingIfNeeded: $0) } ?? 0
        switch value {
        case .string(let string): sum &+= string.string.utf8.count
        case .array(let array):
            if let strings = array.strings {
                for index in strings.indices { sum &+= strings.bytes(index).count }
                sum &+= strings.totalByteCount
            }
            sum &+= (array.integers?.count ?? 0) &+ (array.floats?.count ?? 0) &+ (array.bools?.count ?? 0)
            for element in array.prefix(16) { visit(element) }
        default: break
        }
    }
    for (key, value) in file.metadata.pairs {
        sum &+= key.utf8.count
        visit(value)
    }
    for tensor in file.tensors {
        let data = tensor.data
        sum &+= tensor.elementCount &+ tensor.rowByteCount &+ data.count
        if let first = data.first, let last = data.last { sum &+= Int(first) &+ Int(last) }
        sum &+= file.tensor(tensor.name) == nil ? 0 : 1
    }
    let summary = GGUFSummary(file)
    return sum &+ summary.text.utf8.count &+ summary.tensorText.utf8.count
}
