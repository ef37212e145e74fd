/// The key-value pairs of a file, read from the file without a copy.
///
/// Metadata keeps its file's memory alive. For a split model, it is the first file's.
public struct GGUFMetadata: Sendable {
    private let header: GGUFHeader

    init(_ header: GGUFHeader) {
        self.header = header
    }

    /// Creates metadata without a file, for tests and tools.
    ///
    /// - Throws: ``GGUFError`` with `invalidArgument` if a key is empty, too long or given twice.
    public init(_ pairs: [(key: String, value: GGUFValue)]) throws {
        var writer = GGUFWriter()
        for (key, value) in pairs {
            guard !writer.metadata.contains(where: { $0.key == key }) else {
                throw GGUFError(.invalidArgument, field: key, message: "metadata key '\(key)' is given twice.")
            }
            writer.set(key, value)
        }
        self = try writer.file().metadata
    }

    /// The number of keys.
    public var count: Int { header.keyTable.positions.count }

    /// The keys in file order.
    public var keys: [String] {
        header.keyTable.positions.indices.map {
            String(decoding: header.keyTable.name($0, in: header.storage), as: UTF8.self)
        }
    }

    /// The value of `key`, or nil if the file does not have it.
    public subscript(key: String) -> GGUFValue? {
        guard let index = header.keyTable.index(of: key, in: header.storage) else { return nil }
        return value(at: index)
    }

    /// All pairs in file order.
    public var pairs: [(key: String, value: GGUFValue)] {
        header.keyTable.positions.indices.compactMap { index in
            value(at: index).map {
                (String(decoding: header.keyTable.name(index, in: header.storage), as: UTF8.self), $0)
            }
        }
    }

    /// The file, for errors about its metadata; nil for bytes in memory.
    public var path: String? { header.path }

    private func value(at index: Int) -> GGUFValue? {
        var reader = GGUFByteReader(
            header.storage, path: header.path, offset: Int(header.keyTable.positions[index]))
        guard (try? reader.readString("")) != nil, let type = try? reader.readValueType("") else { return nil }
        return GGUFValue(type: type, at: reader.offset, depth: 0, in: header.storage, offsets: header.offsets[index])
    }
}
