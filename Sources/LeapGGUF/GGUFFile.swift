/// A GGUF model file, or the files of a split one, open for reading.
///
/// Opening validates everything except the weights, and copies nothing. Metadata, strings and tensor data are views
/// into memory. The memory lives as long as the file object or anything taken from it.
///
/// ```swift
/// let file = try GGUFFile.open(path: "model.gguf")
/// let layers = try file.metadata.uint("llama.block_count")
/// for tensor in file.tensors { print(tensor.name, tensor.type, tensor.shape) }
/// ```
///
/// Do not change a file while it is open. If a memory-mapped file shrinks, the process ends (SIGBUS), as in every
/// program that maps files. With `useMmap: false`, this cannot happen after opening.
public final class GGUFFile: Sendable {
    private let parts: [GGUFHeader]

    /// The file as the caller named it.
    public let path: String
    /// The paths of all files of the model, in order; one unless it is split.
    public let partPaths: [String]
    /// The format version, 2 or 3.
    public let version: UInt32
    /// The alignment of tensor data, in bytes.
    public let alignment: Int
    /// The size of all files together, in bytes.
    public let byteCount: Int
    /// The key-value pairs; of a split model, the first file's.
    public let metadata: GGUFMetadata
    /// The tensors of all files, in file order.
    public let tensors: GGUFTensors

    init(path: String, partPaths: [String], parts: [GGUFHeader]) {
        precondition(!parts.isEmpty)
        self.path = path
        self.partPaths = partPaths
        self.parts = parts
        version = parts[0].version
        alignment = parts[0].alignment
        byteCount = parts.reduce(0) { $0 + $1.fileSize }
        metadata = parts[0].metadata
        tensors = GGUFTensors(parts: parts)
    }

    /// The tensor with this name, or nil.
    public func tensor(_ name: String) -> GGUFTensor? { tensors[name] }

    /// Opens a file; for a split model (`-00001-of-00003.gguf`), any part opens all parts.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - useMmap: whether to map the file or to read all of it into memory now. A mapped file is read on use, and
    ///     shares memory with the system's file cache.
    /// - Throws: ``GGUFError``.
    public static func open(path: String, useMmap: Bool = true) throws -> GGUFFile {
        let header = try openPart(path: path, range: nil, useMmap: useMmap)
        guard let split = try header.split, split.count > 1 else {
            return GGUFFile(path: path, partPaths: [path], parts: [header])
        }
        return try openSplit(path: path, header, split, useMmap: useMmap)
    }

    /// Opens a GGUF that is stored, uncompressed, within another file (a member of a ZIP archive, say).
    ///
    /// - Parameter range: its bytes, counted from the start of the outer file. They need no alignment.
    /// - Throws: ``GGUFError``; a split model cannot be opened this way.
    package static func open(path: String, range: Range<Int>, useMmap: Bool = true) throws -> GGUFFile {
        let header = try openPart(path: path, range: range, useMmap: useMmap)
        if let split = try header.split, split.count > 1 {
            throw GGUFError(
                .split, path: path,
                message: "holds one of \(split.count) parts of a split model. Extract all parts and open the first.")
        }
        return GGUFFile(path: path, partPaths: [path], parts: [header])
    }

    /// Parses a whole file that is in memory (copied once).
    ///
    /// - Throws: ``GGUFError``.
    package static func parse(bytes: [UInt8], name: String = "(memory)") throws -> GGUFFile {
        let storage = bytes.withUnsafeBytes { GGUFStorage(copying: $0) }
        let header = try GGUFHeader(storage, available: storage.count, fileSize: storage.count, path: name)
        return GGUFFile(path: name, partPaths: [name], parts: [header])
    }

    /// Opens one file.
    static func openPart(path: String, range: Range<Int>?, useMmap: Bool) throws -> GGUFHeader {
        let source = try GGUFSource(path: path, range: range)
        if useMmap {
            let storage = try source.map()
            return try GGUFHeader(storage, available: storage.count, fileSize: storage.count, path: path)
        }
        return try readAll(source)
    }

    /// Reads a file into memory: the header first, so that a bad file is refused before its bulk is read or room made
    /// for it.
    private static func readAll(_ source: borrowing GGUFSource) throws -> GGUFHeader {
        let size = source.byteCount
        var prefix = try storage(min(size, 1 << 20), beginningWith: nil, source)
        while true {
            do {
                let header = try GGUFHeader(prefix, available: prefix.count, fileSize: size, path: source.path)
                guard prefix.count < size else { return header }
                return header.moved(to: try storage(size, beginningWith: prefix, source))
            } catch let incomplete as GGUFIncomplete {
                // Doubled at least, so that parsing again costs no more than parsing once.
                let wanted = min(size, max(incomplete.needed, prefix.count * 2))
                prefix = try storage(wanted, beginningWith: prefix, source)
            }
        }
    }

    /// Memory with the first `byteCount` bytes of the file, of which `prefix` has the beginning.
    private static func storage(
        _ byteCount: Int, beginningWith prefix: GGUFStorage?, _ source: borrowing GGUFSource
    ) throws -> GGUFStorage {
        let pointer = GGUFStorage.allocate(byteCount)
        guard let pointer else {
            throw GGUFError(
                .outOfMemory, path: source.path,
                message:
                    "reading the file needs \(byteCount) bytes of memory, which the system does not have. Leave memory "
                    + "mapping on, or use a smaller quantisation.")
        }
        let storage = GGUFStorage(allocation: pointer, byteCount: byteCount)
        let buffer = UnsafeMutableRawBufferPointer(start: pointer, count: byteCount)
        let known = prefix?.count ?? 0
        if let prefix { buffer.copyMemory(from: prefix.bytes(at: 0, count: known)) }
        try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[known...]), at: known)
        return storage
    }
}
