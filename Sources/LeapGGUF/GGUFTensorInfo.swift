import LeapBase

/// One entry of a file's tensor table, validated by itself: what is left to check is where its data lies.
struct GGUFTensorInfo {
    /// The range of the name's bytes.
    var name: Range<Int>
    /// The dimensions, fastest first; 1 beyond `rank`.
    var dimensions: (Int, Int, Int, Int)
    /// The number of dimensions, 1 to 4.
    var rank: Int
    var type: GGUFTensorType
    /// The offset of the data, in bytes from the start of the data section.
    var dataOffset: UInt64
    /// Bytes of the data; 0 when the type is not known.
    var byteCount: Int

    /// The offset of the entry: that of the length of its name.
    var position: UInt32 { UInt32(name.lowerBound - MemoryLayout<UInt64>.size) }
}

extension GGUFByteReader {
    /// Reads the tensor table's entry number `index`.
    mutating func readTensorInfo(_ index: Int) throws -> GGUFTensorInfo {
        let name = try readTensorName(index)
        let label = TensorLabel(base: base, name: name)
        let shape = try readShape(label)
        let (type, byteCount) = try readType(label, shape)
        let dataOffset = try read(UInt64.self, "the offset of tensor '\(label.text)'")
        return GGUFTensorInfo(
            name: name, dimensions: shape.dimensions, rank: max(shape.rank, 1), type: type, dataOffset: dataOffset,
            byteCount: byteCount)
    }

    private mutating func readTensorName(_ index: Int) throws -> Range<Int> {
        let nameLength = try read(UInt64.self, "the name of tensor \(index)")
        guard nameLength > 0, nameLength <= UInt64(GGUFLimits.tensorNameByteCount) else {
            throw tooLarge(
                "the name of tensor \(index) is \(nameLength) bytes long; 1 to \(GGUFLimits.tensorNameByteCount) are "
                    + "allowed.", at: offset - 8)
        }
        let nameStart = try take(nameLength, "the name of tensor \(index)")
        return nameStart..<offset
    }

    private mutating func readShape(_ label: TensorLabel) throws -> TensorShape {
        let rank = try read(UInt32.self, "the shape of tensor '\(label.text)'")
        guard rank <= GGUFLimits.dimensionCount else {
            throw tooLarge(
                "tensor '\(label.text)' has \(rank) dimensions; at most \(GGUFLimits.dimensionCount) are allowed.",
                field: label.text, at: offset - 4)
        }
        var shape = TensorShape(rank: Int(rank))
        for axis in 0..<Int(rank) {
            let position = offset
            let raw = try read(UInt64.self, "the shape of tensor '\(label.text)'")
            guard raw > 0, let size = Int(exactly: raw) else {
                throw malformed(
                    "tensor '\(label.text)' has size \(raw) in dimension \(axis); it must be at least 1.",
                    field: label.text, at: position)
            }
            guard shape.set(axis, size) else {
                throw malformed(
                    "the product of the dimensions of tensor '\(label.text)' exceeds 63 bits.", field: label.text,
                    at: position)
            }
        }
        return shape
    }

    /// Reads the type; of one that is known also the size of the data follows.
    private mutating func readType(
        _ label: TensorLabel, _ shape: TensorShape
    ) throws -> (type: GGUFTensorType, byteCount: Int) {
        let position = offset
        let type = GGUFTensorType(rawValue: try read(UInt32.self, "the type of tensor '\(label.text)'"))
        guard type.isKnown else { return (type, 0) }
        guard shape.dimensions.0 % type.blockSize == 0 else {
            throw malformed(
                "tensor '\(label.text)' has rows of \(shape.dimensions.0) elements, but \(type) stores blocks of "
                    + "\(type.blockSize).", field: label.text, at: position)
        }
        guard let byteCount = type.byteCount(elementCount: shape.elementCount) else {
            throw malformed(
                "the size of tensor '\(label.text)' exceeds 63 bits.", field: label.text, at: position)
        }
        return (type, byteCount)
    }
}

/// The name of a tensor for error messages.
private struct TensorLabel {
    let base: UnsafeRawPointer
    let name: Range<Int>

    /// Made only when an error needs it.
    var text: String {
        ShownText.of(UnsafeRawBufferPointer(start: base + name.lowerBound, count: name.count))
    }
}

/// The dimensions of a tensor as they are read.
private struct TensorShape {
    let rank: Int
    /// The dimensions, fastest first; 1 beyond `rank`.
    private(set) var dimensions = (1, 1, 1, 1)
    private(set) var elementCount = 1

    init(rank: Int) { self.rank = rank }

    /// Sets a dimension; false where the number of elements exceeds 63 bits.
    mutating func set(_ axis: Int, _ size: Int) -> Bool {
        let (product, overflow) = elementCount.multipliedReportingOverflow(by: size)
        guard !overflow else { return false }
        elementCount = product
        switch axis {
        case 0: dimensions.0 = size
        case 1: dimensions.1 = size
        case 2: dimensions.2 = size
        default: dimensions.3 = size
        }
        return true
    }
}
