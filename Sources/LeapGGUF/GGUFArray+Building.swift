extension GGUFArray {
    /// An array of unsigned 8-bit integers.
    public init(_ values: [UInt8]) { self.init(.uint8, values) { $0 } }
    /// An array of signed 8-bit integers.
    public init(_ values: [Int8]) { self.init(.int8, values) { $0 } }
    /// An array of unsigned 16-bit integers.
    public init(_ values: [UInt16]) { self.init(.uint16, values) { $0 } }
    /// An array of signed 16-bit integers.
    public init(_ values: [Int16]) { self.init(.int16, values) { $0 } }
    /// An array of unsigned 32-bit integers.
    public init(_ values: [UInt32]) { self.init(.uint32, values) { $0 } }
    /// An array of signed 32-bit integers.
    public init(_ values: [Int32]) { self.init(.int32, values) { $0 } }
    /// An array of unsigned 64-bit integers.
    public init(_ values: [UInt64]) { self.init(.uint64, values) { $0 } }
    /// An array of signed 64-bit integers.
    public init(_ values: [Int64]) { self.init(.int64, values) { $0 } }
    /// An array of 32-bit floats.
    public init(_ values: [Float]) { self.init(.float32, values) { $0.bitPattern } }
    /// An array of 64-bit floats.
    public init(_ values: [Double]) { self.init(.float64, values) { $0.bitPattern } }
    /// An array of bools.
    public init(_ values: [Bool]) { self.init(.bool, values) { $0 ? 1 as UInt8 : 0 } }

    /// An array of strings.
    public init(_ values: [String]) {
        self.init(variable: .string, values, depth: 1) { $0.append(string: $1) }
    }

    /// An array of strings that need not be valid UTF-8.
    public init(_ values: [GGUFString]) {
        self.init(variable: .string, values, depth: 1) { bytes, value in
            value.withUnsafeBytes { bytes.append(string: $0) }
        }
    }

    /// An array of arrays.
    ///
    /// - Throws: ``GGUFError`` with `limitExceeded` if arrays nest deeper than 8, which no reader of this package
    ///   accepts.
    public init(arrays values: [GGUFArray]) throws {
        let depth = 1 + (values.lazy.map(\.nesting).max() ?? 0)
        guard depth <= GGUFLimits.arrayDepth else {
            throw GGUFError(
                .limitExceeded,
                message: "arrays nest \(depth) deep; at most \(GGUFLimits.arrayDepth) levels are allowed.")
        }
        self.init(variable: .array, values, depth: 1) { $1.encode(into: &$0) }
    }

    /// The number of levels of arrays: 1 for an array of numbers.
    private var nesting: Int {
        guard elementType == .array else { return 1 }
        return 1
            + (lazy.map { element in
                if case .array(let array) = element { array.nesting } else { 0 }
            }.max() ?? 0)
    }

    private init<Element, Raw: FixedWidthInteger>(
        _ type: GGUFValueType, _ values: [Element], raw: (Element) -> Raw
    ) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.count * MemoryLayout<Raw>.size)
        for value in values { bytes.append(littleEndian: raw(value)) }
        self.init(built: bytes, type, count: values.count, offsets: nil, depth: 1)
    }

    private init<Element>(
        variable type: GGUFValueType, _ values: [Element], depth: Int, encode: (inout [UInt8], Element) -> Void
    ) {
        var bytes: [UInt8] = []
        var offsets: [UInt32] = []
        offsets.reserveCapacity(values.count + 1)
        for value in values {
            offsets.append(UInt32(clamping: bytes.count))
            encode(&bytes, value)
        }
        precondition(bytes.count <= GGUFLimits.headerByteCount, "a metadata array has at most 128 MiB")
        offsets.append(UInt32(bytes.count))
        self.init(built: bytes, type, count: values.count, offsets: offsets, depth: depth)
    }

    private init(built bytes: [UInt8], _ type: GGUFValueType, count: Int, offsets: [UInt32]?, depth: Int) {
        self.init(
            storage: bytes.withUnsafeBytes { GGUFStorage(copying: $0) }, elementType: type, count: count,
            payload: 0..<bytes.count, offsets: offsets, depth: depth)
    }
}
