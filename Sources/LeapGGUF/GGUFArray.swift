/// A metadata array: values of one type, read from the file without a copy.
///
/// It is a collection of ``GGUFValue``. For whole arrays of numbers or strings, ``integers``, ``floats``, ``bools`` and
/// ``strings`` are much faster.
public struct GGUFArray: Sendable, RandomAccessCollection {
    let storage: GGUFStorage
    let payload: Range<Int>
    /// For strings and arrays: where each element begins in the payload, and where the last ends.
    let offsets: [UInt32]?
    let depth: Int

    /// The type of every element.
    public let elementType: GGUFValueType
    /// The number of elements.
    public let count: Int

    init(
        storage: GGUFStorage, elementType: GGUFValueType, count: Int, payload: Range<Int>, offsets: [UInt32]?,
        depth: Int
    ) {
        self.storage = storage
        self.elementType = elementType
        self.count = count
        self.payload = payload
        self.offsets = offsets
        self.depth = depth
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { count }

    /// The element at `index`; a nested array is scanned on each access.
    public subscript(index: Int) -> GGUFValue {
        precondition(index >= 0 && index < count, "index \(index) is outside an array of \(count)")
        let start: Int
        if let size = elementType.fixedByteCount {
            start = payload.lowerBound + index * size
        } else {
            start = payload.lowerBound + Int(offsets?[index] ?? 0)
        }
        return GGUFValue(type: elementType, at: start, depth: depth, in: storage) ?? elementType.zero
    }

    /// The elements, if they are strings.
    public var strings: GGUFStringArray? {
        guard elementType == .string, let offsets else { return nil }
        return GGUFStringArray(storage: storage, start: payload.lowerBound, offsets: offsets)
    }

    /// The elements, if they are integers that fit into a signed 64-bit integer.
    public var integers: [Int64]? { mapIntegers { $0 } }

    /// The elements, if they are ``integers``; those that do not fit a byte as 0.
    ///
    /// For long arrays of small codes: an eighth of the memory.
    package var codes: [UInt8]? { mapIntegers { UInt8(exactly: $0) ?? 0 } }

    /// The elements, if they are floats or integers, rounded to 32-bit floats if necessary.
    public var floats: [Float]? {
        switch elementType {
        case .float32: map(as: UInt32.self) { Float(bitPattern: $0) }
        case .float64: map(as: UInt64.self) { Float(Double(bitPattern: $0)) }
        case .uint64: map(as: UInt64.self) { Float($0) }
        default: integers.map { $0.map { Float($0) } }
        }
    }

    /// The elements, if they are bools.
    public var bools: [Bool]? {
        guard elementType == .bool else { return nil }
        return map(as: UInt8.self) { $0 != 0 }
    }

    @inline(__always)
    private func mapIntegers<R>(_ transform: (Int64) -> R) -> [R]? {
        switch elementType {
        case .uint8: map(as: UInt8.self) { transform(Int64($0)) }
        case .int8: map(as: Int8.self) { transform(Int64($0)) }
        case .uint16: map(as: UInt16.self) { transform(Int64($0)) }
        case .int16: map(as: Int16.self) { transform(Int64($0)) }
        case .uint32: map(as: UInt32.self) { transform(Int64($0)) }
        case .int32: map(as: Int32.self) { transform(Int64($0)) }
        case .int64: map(as: Int64.self) { transform($0) }
        case .uint64: map(as: UInt64.self) { Int64(exactly: $0).map(transform) }
        default: nil
        }
    }

    private func map<T: FixedWidthInteger, R>(as _: T.Type, _ transform: (T) -> R?) -> [R]? {
        withExtendedLifetime(storage) {
            let bytes = storage.bytes(at: payload.lowerBound, count: payload.count)
            let count = bytes.count / MemoryLayout<T>.size
            var result: [R] = []
            result.reserveCapacity(count)
            for index in 0..<count {
                let value = T(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<T>.size, as: T.self))
                guard let element = transform(value) else { return nil }
                result.append(element)
            }
            return result
        }
    }

    /// Appends the array as files store it: element type, count, elements.
    func encode(into bytes: inout [UInt8]) {
        bytes.append(littleEndian: elementType.rawValue)
        bytes.append(littleEndian: UInt64(count))
        withExtendedLifetime(storage) {
            bytes.append(contentsOf: storage.bytes(at: payload.lowerBound, count: payload.count))
        }
    }
}

extension GGUFArray: Hashable {
    /// Returns whether both have the same element type and the same bytes.
    public static func == (left: GGUFArray, right: GGUFArray) -> Bool {
        left.elementType == right.elementType && left.count == right.count
            && left.withPayload { left in right.withPayload { left.elementsEqual($0) } }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(elementType)
        withPayload { hasher.combine(bytes: $0) }
    }

    private func withPayload<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withExtendedLifetime(storage) { body(storage.bytes(at: payload.lowerBound, count: payload.count)) }
    }
}

extension GGUFValueType {
    /// The value in place of an element whose bytes vanished because someone changed the file while it was open.
    fileprivate var zero: GGUFValue {
        switch self {
        case .string: .string("")
        case .array: .array(GGUFArray([UInt8]()))
        default: .uint8(0)
        }
    }
}
