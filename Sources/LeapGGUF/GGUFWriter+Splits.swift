extension GGUFWriter {
    /// Writes a split model: `PREFIX-00001-of-0000N.gguf` and so on, like `llama-gguf-split`.
    ///
    /// The first part has the metadata; every part has `split.no`, `split.count` and `split.tensors.count`.
    ///
    /// - Parameters:
    ///   - prefix: the path up to the part number.
    ///   - maximumTensorCount: the maximum number of tensors per part.
    ///   - maximumByteCount: the maximum number of bytes of tensor data per part; a larger tensor has its own part.
    /// - Returns: the paths of the parts.
    /// - Throws: ``GGUFError`` with `invalidArgument` or `writeFailed`, or the error of a streaming tensor's body.
    @discardableResult
    public func write(
        splitTo prefix: String, maximumTensorCount: Int = .max, maximumByteCount: Int = .max
    ) throws -> [String] {
        guard maximumTensorCount > 0, maximumByteCount > 0 else {
            throw GGUFError(
                .invalidArgument,
                message: "a part must be allowed at least one tensor and one byte; \(maximumTensorCount) and "
                    + "\(maximumByteCount) were given.")
        }
        var groups: [[AddedTensor]] = [[]]
        var bytes = 0
        for entry in entries {
            let last = groups[groups.count - 1]
            if !last.isEmpty, last.count >= maximumTensorCount || entry.byteCount > maximumByteCount - bytes {
                groups.append([])
                bytes = 0
            }
            groups[groups.count - 1].append(entry)
            bytes = min(bytes + entry.byteCount, maximumByteCount)
        }
        guard let count = UInt16(exactly: groups.count) else {
            throw GGUFError(
                .invalidArgument, message: "the model would have \(groups.count) parts; at most 65535 are possible.")
        }
        return try groups.enumerated().map { number, group in
            var part = number == 0 ? self : GGUFWriter(alignment: alignment)
            part.entries = group
            part.set("split.no", .uint16(UInt16(number)))
            part.set("split.count", .uint16(count))
            part.set("split.tensors.count", .int32(Int32(clamping: entries.count)))
            let path = prefix + GGUFFile.partSuffix(number, of: groups.count)
            try part.write(to: path)
            return path
        }
    }
}
