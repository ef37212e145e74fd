/// A tensor of a file: its name, its type and shape, and a view of its bytes.
///
/// A tensor keeps its file's memory alive.
public struct GGUFTensor: Sendable {
    private let storage: GGUFStorage
    private let dimensions: (Int, Int, Int, Int)
    private let rank: Int

    /// The name, such as `blk.0.attn_q.weight`.
    public let name: String
    /// The type in which the elements are stored.
    public let type: GGUFTensorType
    /// The number of bytes of data; 0 if ``type`` is not known.
    public let byteCount: Int
    /// The offset of the data, in bytes from the start of its file.
    public let fileOffset: Int
    /// The index, from 0, of the part of a split model that holds the tensor.
    public let part: Int

    /// The identity of the open file, or of the part of a split one, that holds the tensor.
    ///
    /// No other file has it as long as the tensor lives.
    package var fileIdentity: ObjectIdentifier { ObjectIdentifier(storage) }

    init(_ info: GGUFTensorInfo, name: String, dataStart: Int, part: Int, storage: GGUFStorage) {
        self.storage = storage
        self.name = name
        self.part = part
        dimensions = info.dimensions
        rank = info.rank
        type = info.type
        byteCount = info.byteCount
        // Validated when the file was opened: it lies inside the file.
        fileOffset = dataStart + Int(info.dataOffset)
    }

    /// The sizes, fastest dimension first (ggml's `ne`): of a matrix, columns then rows.
    ///
    /// There are 1 to 4 of them, each at least 1.
    public var shape: [Int] {
        let all = [dimensions.0, dimensions.1, dimensions.2, dimensions.3]
        return Array(all[0..<rank])
    }

    /// The product of ``shape``.
    public var elementCount: Int { dimensions.0 * dimensions.1 * dimensions.2 * dimensions.3 }

    /// The number of elements in a row: `shape[0]`.
    public var rowElementCount: Int { dimensions.0 }

    /// The number of rows: the product of the other dimensions.
    public var rowCount: Int { dimensions.1 * dimensions.2 * dimensions.3 }

    /// The number of bytes in a row; 0 if ``type`` is not known.
    public var rowByteCount: Int { type.byteCount(elementCount: dimensions.0) ?? 0 }

    /// The bytes, `byteCount` of them, rows one after the other without padding.
    ///
    /// Valid as long as this tensor or its ``GGUFFile`` lives. The alignment of the first byte is that of the file
    /// (usually 32 bytes, in the worst case 1). Empty if ``type`` is not known, and for a tensor whose header was read
    /// without data.
    public var data: UnsafeRawBufferPointer {
        storage.bytes(at: fileOffset, count: byteCount)
    }
}

extension GGUFTensor: CustomStringConvertible {
    /// Name, type and shape.
    public var description: String {
        "\(name) \(type) [\(shape.map(String.init).joined(separator: ", "))]"
    }
}
