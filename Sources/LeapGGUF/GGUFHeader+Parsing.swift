import LeapBase

extension GGUFHeader {
    /// Parses and validates a header.
    ///
    /// - Parameters:
    ///   - storage: memory for the file, or for its beginning.
    ///   - available: how many bytes of `storage` are filled.
    ///   - fileSize: how many bytes the file has.
    ///   - path: its name for errors.
    /// - Throws: ``GGUFError``, or ``GGUFIncomplete`` when `available` does not reach the header's end.
    convenience init(_ storage: GGUFStorage, available: Int, fileSize: Int, path: String?) throws {
        var reader = GGUFByteReader(base: storage.base, available: available, fileSize: fileSize, path: path)
        let version = try reader.readPreamble()

        let tensorCount = try reader.readCount(
            "tensors", minimumByteCount: 25, limit: GGUFLimits.tensorCount)
        let keyCount = try reader.readCount(
            "metadata entries", minimumByteCount: 14, limit: GGUFLimits.keyCount)

        var offsets: [Int: [UInt32]] = [:]
        let keyTable = try reader.readMetadata(count: keyCount, offsets: &offsets)
        let alignmentKey = keyTable.index(of: GGUFByteReader.alignmentKey, in: storage)
        let alignment = try reader.alignment(at: alignmentKey.map { keyTable.positions[$0] })

        let tensors = try reader.readTensorTable(count: tensorCount)
        let headerEnd = reader.offset
        let tensorTable = try reader.index(tensors.map(\.position), kind: "tensor name")

        let dataOffset = (headerEnd + alignment - 1) & ~(alignment - 1)
        try reader.validateData(of: tensors, dataOffset: dataOffset, alignment: alignment)

        self.init(
            storage: storage, path: path, keyTable: keyTable, tensorTable: tensorTable, tensorInfos: tensors,
            offsets: offsets, version: version, alignment: alignment, byteCount: headerEnd, dataOffset: dataOffset,
            fileSize: fileSize)
    }
}

extension GGUFByteReader {
    /// Reads magic and version.
    fileprivate mutating func readPreamble() throws -> UInt32 {
        guard fileSize > 0 else {
            throw GGUFError(
                .empty, path: path,
                message: "the file is empty. A download or copy has probably failed: get the file again.")
        }
        let start = UnsafeRawBufferPointer(start: base, count: min(available, 64))
        guard start.prefix(4).elementsEqual("GGUF".utf8.prefix(start.count)), available >= 4 || fileSize >= 4 else {
            throw GGUFError(
                .notGGUF, path: path, offset: 0,
                message: "not a GGUF model; \(GGUFFileKind.describe(prefix: start))")
        }
        _ = try take(4, "the magic number")
        let version = try read(UInt32.self, "the version")
        if version & 0xFFFF == 0, version != 0 {
            throw GGUFError(
                .bigEndian, path: path, offset: 4,
                message: "the file was written for big-endian machines (version \(version.byteSwapped), byte-swapped). "
                    + "Convert it with gguf-py's gguf_convert_endian.py, or download the usual little-endian file.")
        }
        switch version {
        case 2, 3:
            return version
        case 1:
            throw GGUFError(
                .unsupportedVersion, path: path, offset: 4,
                message:
                    "GGUF version 1 (of August 2023) is not supported; versions 2 and 3 are. Convert the model again "
                    + "with a current converter, or download a newer file.")
        default:
            throw GGUFError(
                .unsupportedVersion, path: path, offset: 4,
                message: "GGUF version \(version) is not supported; versions 2 and 3 are. "
                    + (version == 0 || version > 100
                        ? "The file is damaged: get it again." : "A newer release of this package may read it."))
        }
    }

    /// Reads how many entries a table has and checks it against the file's size.
    fileprivate mutating func readCount(_ what: String, minimumByteCount: Int, limit: Int) throws -> Int {
        let position = offset
        let count = try read(UInt64.self, "the number of \(what)")
        let room = (fileSize - offset) / minimumByteCount
        guard count <= UInt64(room) else {
            throw GGUFError(
                .truncated, path: path, offset: position,
                message:
                    "the file declares \(count) \(what), but its \(fileSize) bytes have room for \(room) at most. It "
                    + "is truncated or damaged: download or copy it again.")
        }
        guard count <= UInt64(limit) else {
            throw tooLarge("the file declares \(count) \(what); at most \(limit) are accepted.", at: position)
        }
        return Int(count)
    }

    /// Reads the metadata entries.
    fileprivate mutating func readMetadata(count: Int, offsets: inout [Int: [UInt32]]) throws -> GGUFNameTable {
        var positions: [UInt32] = []
        // With only a prefix at hand the count is a claim still.
        positions.reserveCapacity(min(count, available / 14))
        for index in 0..<count {
            let position = offset
            let length = try read(UInt64.self, "metadata key \(index)")
            guard length > 0, length <= UInt64(GGUFLimits.keyByteCount) else {
                throw tooLarge(
                    "metadata key \(index) is \(length) bytes long; 1 to \(GGUFLimits.keyByteCount) are allowed.",
                    at: position)
            }
            let keyStart = try take(length, "metadata key \(index)")
            let key = keyStart..<offset
            do {
                if let table = try skipMetadataValue(key) { offsets[index] = table }
            } catch var error as GGUFError {
                error.field = ShownText.of(bytes(key))
                throw error
            }
            positions.append(UInt32(position))
        }
        return try self.index(positions, kind: "metadata key")
    }

    /// Moves past the value of the key in `key`.
    ///
    /// - Returns: the element table of a long array of strings or arrays.
    private mutating func skipMetadataValue(_ key: Range<Int>) throws -> [UInt32]? {
        let keyBytes = bytes(key)
        func what() -> String { "the value of metadata key '\(ShownText.of(keyBytes))'" }
        let type = try readValueType(what())
        guard type == .array else {
            try skipValue(type, what())
            return nil
        }
        // Short arrays are scanned again when they are asked for: a file made of empty arrays must not cost more memory
        // than it has bytes.
        let isLong = mayHoldLongArray
        let table = try skipArray(depth: 1, recordsOffsets: isLong, what())
        return isLong ? table : nil
    }

    /// True if an array of strings or arrays that begins here, with type and count, has more than 64 elements.
    private var mayHoldLongArray: Bool {
        guard available - offset >= 12 else { return false }
        return UInt64(littleEndian: (base + offset + 4).loadUnaligned(as: UInt64.self)) > 64
    }

    fileprivate static let alignmentKey = "general.alignment"

    /// Reads `general.alignment`, whose entry begins at `entry`, or gives its default.
    fileprivate func alignment(at entry: UInt32?) throws -> Int {
        guard let entry else { return 32 }
        let name = Self.alignmentKey
        var reader = self
        reader.offset = Int(entry)
        _ = try reader.readString(name)
        let position = reader.offset
        let type = try reader.readValueType(name)
        guard type == .uint32 else {
            throw GGUFError(
                .wrongType, path: path, field: name, offset: position,
                message: "metadata key '\(name)' is of type \(type); it must be uint32.")
        }
        let value = try reader.read(UInt32.self, name)
        guard value.nonzeroBitCount == 1, value <= UInt32(GGUFLimits.alignment) else {
            throw malformed(
                "metadata key '\(name)' is \(value); it must be a power of two from 1 to \(GGUFLimits.alignment).",
                field: name, at: position)
        }
        return Int(value)
    }

    /// Reads the tensor table: the only place where its entries are decoded.
    fileprivate mutating func readTensorTable(count: Int) throws -> [GGUFTensorInfo] {
        var tensors: [GGUFTensorInfo] = []
        // With only a prefix at hand the count is a claim still.
        tensors.reserveCapacity(min(count, (available - offset) / 25))
        for index in 0..<count { tensors.append(try readTensorInfo(index)) }
        return tensors
    }

    /// Builds the name table, or says which name occurs twice.
    fileprivate func index(_ positions: [UInt32], kind: String) throws -> GGUFNameTable {
        do {
            return try GGUFNameTable(positions: positions, reader: self)
        } catch let duplicate as GGUFNameTable.Duplicate {
            var reader = self
            reader.offset = Int(positions[duplicate.index])
            let name = ShownText.of(bytes(try reader.readString(kind)))
            throw malformed("the \(kind) '\(name)' occurs twice.", field: name, at: Int(positions[duplicate.index]))
        }
    }
}
