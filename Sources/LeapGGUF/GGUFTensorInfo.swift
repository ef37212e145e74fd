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
        let nameLength = try read(UInt64.self, "the name of tensor \(index)")
        guard nameLength > 0, nameLength <= UInt64(GGUFLimits.tensorNameByteCount) else {
            throw tooLarge(
                "the name of tensor \(index) is \(nameLength) bytes long; 1 to \(GGUFLimits.tensorNameByteCount) are "
                    + "allowed.", at: offset - 8)
        }
        let nameStart = try take(nameLength, "the name of tensor \(index)")
        let name = nameStart..<offset
        let base = base
        // Made into text only when an error needs it.
        func label() -> String {
            ShownText.of(UnsafeRawBufferPointer(start: base + name.lowerBound, count: name.count))
        }

        let rank = try read(UInt32.self, "the shape of tensor '\(label())'")
        guard rank <= GGUFLimits.dimensionCount else {
            throw tooLarge(
                "tensor '\(label())' has \(rank) dimensions; at most \(GGUFLimits.dimensionCount) are allowed.",
                field: label(), at: offset - 4)
        }
        var dimensions = (1, 1, 1, 1)
        var elementCount = 1
        for axis in 0..<Int(rank) {
            let position = offset
            let raw = try read(UInt64.self, "the shape of tensor '\(label())'")
            guard raw > 0, let size = Int(exactly: raw) else {
                throw malformed(
                    "tensor '\(label())' has size \(raw) in dimension \(axis); it must be at least 1.", field: label(),
                    at: position)
            }
            let (product, overflow) = elementCount.multipliedReportingOverflow(by: size)
            guard !overflow else {
                throw malformed(
                    "the product of the dimensions of tensor '\(label())' exceeds 63 bits.", field: label(),
                    at: position)
            }
            elementCount = product
            switch axis {
            case 0: dimensions.0 = size
            case 1: dimensions.1 = size
            case 2: dimensions.2 = size
            default: dimensions.3 = size
            }
        }

        let typePosition = offset
        let type = GGUFTensorType(rawValue: try read(UInt32.self, "the type of tensor '\(label())'"))
        var byteCount = 0
        if type.isKnown {
            guard dimensions.0 % type.blockSize == 0 else {
                throw malformed(
                    "tensor '\(label())' has rows of \(dimensions.0) elements, but \(type) stores blocks of "
                        + "\(type.blockSize).", field: label(), at: typePosition)
            }
            guard let bytes = type.byteCount(elementCount: elementCount) else {
                throw malformed(
                    "the size of tensor '\(label())' exceeds 63 bits.", field: label(), at: typePosition)
            }
            byteCount = bytes
        }
        let dataOffset = try read(UInt64.self, "the offset of tensor '\(label())'")
        return GGUFTensorInfo(
            name: name, dimensions: dimensions, rank: max(Int(rank), 1), type: type, dataOffset: dataOffset,
            byteCount: byteCount)
    }
}
