extension GGUFWriter {
    /// Writes everything to `output`.
    func write(to output: GGUFOutput) throws {
        guard alignment > 0, alignment.nonzeroBitCount == 1, alignment <= GGUFLimits.alignment else {
            throw GGUFError(
                .invalidArgument, field: "general.alignment",
                message: "the alignment is \(alignment) bytes; it must be a power of two from 1 to "
                    + "\(GGUFLimits.alignment).")
        }
        try header().withUnsafeBytes { try output.write($0) }
        // A file without tensors ends with its metadata.
        for entry in entries {
            try output.pad(to: alignment)
            let start = output.byteCount
            switch entry.content {
            case .bytes(let bytes): try bytes.withUnsafeBytes { try output.write($0) }
            case .copy(let tensor): try output.write(tensor.data)
            case .stream(let body):
                try body(GGUFTensorSink(output: output, name: entry.name, limit: start + entry.byteCount))
            }
            guard output.byteCount - start == entry.byteCount else {
                throw Self.invalid(
                    entry.name, "wrote \(output.byteCount - start) bytes of data; \(entry.byteCount) are needed.")
            }
        }
        // Readers of the reference implementation expect the last tensor padded too.
        if !entries.isEmpty { try output.pad(to: alignment) }
    }

    /// Magic, version, counts, metadata and tensor table.
    private func header() throws -> [UInt8] {
        var bytes = Array("GGUF".utf8)
        bytes.append(littleEndian: 3 as UInt32)
        bytes.append(littleEndian: UInt64(entries.count))
        bytes.append(littleEndian: UInt64(metadata.count))
        for (key, value) in metadata {
            guard (1...GGUFLimits.keyByteCount).contains(key.utf8.count) else {
                throw GGUFError(
                    .invalidArgument, field: key,
                    message: "a metadata key has \(key.utf8.count) bytes; 1 to \(GGUFLimits.keyByteCount) are allowed.")
            }
            bytes.append(string: key)
            bytes.append(littleEndian: value.type.rawValue)
            value.encode(into: &bytes)
        }
        var offset = 0
        for entry in entries {
            bytes.append(string: entry.name)
            bytes.append(littleEndian: UInt32(entry.shape.count))
            for size in entry.shape { bytes.append(littleEndian: UInt64(size)) }
            bytes.append(littleEndian: entry.type.rawValue)
            bytes.append(littleEndian: UInt64(offset))
            let (end, overflow) = offset.addingReportingOverflow(entry.byteCount)
            guard !overflow, end <= Int.max - alignment else {
                throw Self.invalid(entry.name, "makes the file larger than 63 bits can address.")
            }
            offset = (end + alignment - 1) & ~(alignment - 1)
        }
        return bytes
    }
}

/// Receives the data of one tensor while a ``GGUFWriter`` writes it.
public struct GGUFTensorSink {
    let output: GGUFOutput
    let name: String
    let limit: Int

    /// Appends bytes.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument` if the tensor receives too many bytes, or `writeFailed`.
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= limit - output.byteCount else {
            throw GGUFWriter.invalid(name, "writes more bytes of data than its type and shape take.")
        }
        try output.write(bytes)
    }

    /// Appends bytes.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument` if the tensor receives too many bytes, or `writeFailed`.
    public func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }
}
