import LeapGGUF

/// Reads the header of a GGUF file, in ranges that grow as the header turns out to be longer.
enum HeaderReader {
    /// The most bytes of a header that are read: it is its vocabulary, mostly, and none we know has more than 32 MB.
    static let limit: Int64 = 64 << 20

    /// - Parameters:
    ///   - size: bytes of the whole file; counts and the extents of tensors are compared with it.
    ///   - name: the file or address for errors.
    ///   - read: gives a range of the file.
    /// - Throws: `GGUFError` if the file is not valid.
    static func header(
        size: Int64, _ name: String, read: (Range<Int64>) async throws -> [UInt8]
    ) async throws -> GGUFHeader {
        var wanted: Int64 = 1 << 20
        var prefix: [UInt8] = []
        while true {
            let end = min(size, wanted)
            let start = Int64(clamping: prefix.count)
            if start < end { prefix += try await read(start..<end) }
            switch try GGUFHeader.parse(prefix: prefix, fileSize: Int(clamping: size), name: name) {
            case .header(let header): return header
            case .needsBytes(let needed):
                let needed = Int64(clamping: needed)
                guard end < size, needed > end, needed <= min(size, limit) else {
                    throw DownloadError(
                        .notAModel,
                        "\(name): the header is longer than \(limit >> 20) MiB, which no model's header needs.")
                }
                // Twice as much each time, so that the work stays in proportion to the header.
                wanted = min(limit, max(needed, end.multipliedReportingOverflow(by: 2).partialValue))
            }
        }
    }
}

extension PartialFile {
    /// A range of the file as bytes.
    func bytes(_ range: Range<Int64>) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            count = try read(
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<range.count]), at: range.lowerBound)
        }
    }
}
