import LeapBase

/// Writes GGUF files, version 3.
///
/// Add metadata and tensors, then write. You can stream tensor data, so a file need not fit in memory.
///
/// ```swift
/// var writer = GGUFWriter()
/// writer.set("general.architecture", "llama")
/// writer.set("llama.block_count", .uint32(2))
/// try writer.add(tensor: "output_norm.weight", type: .f32, shape: [4], floats: [1, 1, 1, 1])
/// try writer.write(to: "model.gguf")
/// ```
public struct GGUFWriter {
    enum Content {
        case bytes([UInt8])
        case copy(GGUFTensor)
        case stream((GGUFTensorSink) throws -> Void)
    }

    /// A tensor that is to be written.
    struct AddedTensor {
        var name: String
        var type: GGUFTensorType
        var shape: [Int]
        var byteCount: Int
        var content: Content
    }

    var entries: [AddedTensor] = []
    private var names: Set<String> = []

    /// The alignment of tensor data, in bytes: a power of two, 32 by default.
    public let alignment: Int

    /// The metadata so far, in file order.
    public private(set) var metadata: [(key: String, value: GGUFValue)] = []

    /// Creates a writer without metadata or tensors.
    ///
    /// - Parameter alignment: a power of two; any value except 32 is written as `general.alignment`.
    public init(alignment: Int = 32) {
        self.alignment = alignment
        if alignment != 32 { set("general.alignment", .uint32(UInt32(clamping: alignment))) }
    }

    /// Creates a writer with all metadata of `file`, except the keys for splitting and alignment.
    public init(copyingMetadataOf file: GGUFFile) {
        self.init(alignment: file.alignment)
        for (key, value) in file.metadata.pairs where !key.hasPrefix("split.") && key != "general.alignment" {
            set(key, value)
        }
    }

    /// Sets the value of `key`; an existing key keeps its position.
    public mutating func set(_ key: String, _ value: GGUFValue) {
        if let index = metadata.firstIndex(where: { $0.key == key }) {
            metadata[index].value = value
        } else {
            metadata.append((key, value))
        }
    }

    /// Adds a tensor whose data is in memory.
    ///
    /// - Parameters:
    ///   - name: a name that is not yet used.
    ///   - type: the storage type of `bytes`.
    ///   - shape: 1 to 4 sizes, fastest first.
    ///   - bytes: the data, rows one after the other.
    /// - Throws: ``GGUFError`` with `invalidArgument` if these do not match.
    public mutating func add(tensor name: String, type: GGUFTensorType, shape: [Int], bytes: [UInt8]) throws {
        let byteCount = try requireByteCount(name, type, shape)
        guard byteCount == bytes.count else {
            throw Self.invalid(
                name, "has \(bytes.count) bytes of data; \(type) of shape \(shape) takes \(byteCount).")
        }
        append(AddedTensor(name: name, type: type, shape: shape, byteCount: byteCount, content: .bytes(bytes)))
    }

    /// Adds an F32 tensor.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument` if the number of `floats` does not match `shape`.
    public mutating func add(tensor name: String, shape: [Int], floats: [Float]) throws {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(floats.count * 4)
        for value in floats { bytes.append(littleEndian: value.bitPattern) }
        try add(tensor: name, type: .f32, shape: shape, bytes: bytes)
    }

    /// Adds a tensor whose data is produced while it is written.
    ///
    /// - Parameters:
    ///   - name: a name that is not yet used.
    ///   - type: the storage type of the values.
    ///   - shape: its dimensions, the row length first.
    ///   - body: writes the data to the sink; exactly as many bytes as type and shape take.
    /// - Throws: ``GGUFError`` with `invalidArgument` if name, type and shape do not match.
    public mutating func add(
        tensor name: String, type: GGUFTensorType, shape: [Int],
        writing body: @escaping (GGUFTensorSink) throws -> Void
    ) throws {
        let byteCount = try requireByteCount(name, type, shape)
        append(AddedTensor(name: name, type: type, shape: shape, byteCount: byteCount, content: .stream(body)))
    }

    /// Adds a tensor of another file; its data is copied when this writer writes.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument` if the name is already used or the type is not known.
    public mutating func add(_ tensor: GGUFTensor) throws {
        let byteCount = try requireByteCount(tensor.name, tensor.type, tensor.shape)
        append(
            AddedTensor(
                name: tensor.name, type: tensor.type, shape: tensor.shape, byteCount: byteCount,
                content: .copy(tensor)))
    }

    /// Writes the file.
    ///
    /// It appears under its name only when it is complete, and replaces an existing file.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument` or `writeFailed`, or the error of a streaming tensor's body.
    public func write(to path: String) throws {
        let output = try GGUFOutput(path: path)
        try write(to: output)
        try output.finish()
    }

    /// Returns the file's bytes.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument`, or the error of a streaming tensor's body.
    public func bytes() throws -> [UInt8] {
        let output = GGUFOutput()
        try write(to: output)
        return output.bytes
    }

    /// The file, written to memory and opened.
    package func file(name: String = "(memory)") throws -> GGUFFile {
        try GGUFFile.parse(bytes: try bytes(), name: name)
    }

    private mutating func append(_ entry: AddedTensor) {
        names.insert(entry.name)
        entries.append(entry)
    }

    private func requireByteCount(_ name: String, _ type: GGUFTensorType, _ shape: [Int]) throws -> Int {
        guard (1...GGUFLimits.tensorNameByteCount).contains(name.utf8.count) else {
            throw Self.invalid(
                name, "has a name of \(name.utf8.count) bytes; 1 to \(GGUFLimits.tensorNameByteCount) are allowed.")
        }
        guard !names.contains(name) else { throw Self.invalid(name, "is added twice.") }
        guard (1...GGUFLimits.dimensionCount).contains(shape.count), shape.allSatisfy({ $0 > 0 }) else {
            throw Self.invalid(name, "has shape \(shape); 1 to 4 sizes of at least 1 are needed.")
        }
        guard type.isKnown else { throw Self.invalid(name, "is of \(type), whose layout is not known.") }
        var elementCount = 1
        for size in shape {
            let (product, overflow) = elementCount.multipliedReportingOverflow(by: size)
            guard !overflow else { throw Self.invalid(name, "has shape \(shape), which is too large.") }
            elementCount = product
        }
        guard shape[0] % type.blockSize == 0, let byteCount = type.byteCount(elementCount: elementCount) else {
            throw Self.invalid(
                name, "has rows of \(shape[0]) elements; \(type) stores blocks of \(type.blockSize).")
        }
        return byteCount
    }

    static func invalid(_ name: String, _ problem: String) -> GGUFError {
        GGUFError(.invalidArgument, field: name, message: "tensor '\(ShownText.of(name))' \(problem)")
    }
}
