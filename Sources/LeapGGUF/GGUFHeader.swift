/// The header of a GGUF file, before its tensor data: version, metadata and the tensor table, all validated.
///
/// A ``GGUFFile`` has one per file. By itself it serves who has only the beginning of a file, as a downloader that
/// reads a remote model's header; its tensors have no data then.
package final class GGUFHeader: Sendable {
    let storage: GGUFStorage
    let path: String?
    let keyTable: GGUFNameTable
    let tensorTable: GGUFNameTable
    /// The entries of the tensor table, in its order.
    let tensorInfos: [GGUFTensorInfo]
    /// Element tables of long arrays of strings or arrays, by index of the key.
    let offsets: [Int: [UInt32]]

    /// The format version, 2 or 3.
    package let version: UInt32
    /// The boundary tensor data starts on, in bytes.
    package let alignment: Int
    /// Bytes of the header itself, without padding.
    package let byteCount: Int
    /// The offset at which tensor data begins, in bytes from the file's start.
    package let dataOffset: Int
    /// Bytes of the whole file.
    package let fileSize: Int

    init(
        storage: GGUFStorage, path: String?, keyTable: GGUFNameTable, tensorTable: GGUFNameTable,
        tensorInfos: [GGUFTensorInfo], offsets: [Int: [UInt32]], version: UInt32, alignment: Int, byteCount: Int,
        dataOffset: Int, fileSize: Int
    ) {
        self.storage = storage
        self.path = path
        self.keyTable = keyTable
        self.tensorTable = tensorTable
        self.tensorInfos = tensorInfos
        self.offsets = offsets
        self.version = version
        self.alignment = alignment
        self.byteCount = byteCount
        self.dataOffset = dataOffset
        self.fileSize = fileSize
    }

    /// The same header over memory that begins with the same bytes and goes on.
    func moved(to storage: GGUFStorage) -> GGUFHeader {
        GGUFHeader(
            storage: storage, path: path, keyTable: keyTable, tensorTable: tensorTable, tensorInfos: tensorInfos,
            offsets: offsets, version: version, alignment: alignment, byteCount: byteCount, dataOffset: dataOffset,
            fileSize: fileSize)
    }

    /// The metadata.
    package var metadata: GGUFMetadata { GGUFMetadata(self) }

    /// The tensors of this file.
    package var tensors: GGUFTensors { GGUFTensors(parts: [self]) }

    /// The tensor at `index` of the table.
    func tensor(at index: Int, part: Int) -> GGUFTensor {
        let info = tensorInfos[index]
        let name = storage.bytes(at: info.name.lowerBound, count: info.name.count)
        return GGUFTensor(
            info, name: String(decoding: name, as: UTF8.self), dataStart: dataOffset, part: part, storage: storage)
    }
}

extension GGUFHeader {
    /// The result of parsing the beginning of a file.
    package enum PrefixResult: Sendable {
        /// The prefix holds the whole header.
        case header(GGUFHeader)
        /// The header goes on: at least so many bytes from the file's start are needed to get further.
        case needsBytes(atLeast: Int)
    }

    /// Parses a header from the first bytes of a file.
    ///
    /// - Parameters:
    ///   - prefix: the file's first bytes; all of it is fine.
    ///   - fileSize: how many bytes the whole file has; counts and tensor data are checked against it.
    ///   - name: the file or address for errors.
    /// - Throws: ``GGUFError`` as soon as the prefix shows that the file is not valid.
    package static func parse(prefix: [UInt8], fileSize: Int, name: String? = nil) throws -> PrefixResult {
        guard fileSize >= 0 else {
            throw GGUFError(.invalidArgument, path: name, message: "a file size of \(fileSize) bytes was given.")
        }
        let storage = prefix.withUnsafeBytes {
            GGUFStorage(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(fileSize)))
        }
        do {
            return .header(try GGUFHeader(storage, available: storage.count, fileSize: fileSize, path: name))
        } catch let incomplete as GGUFIncomplete {
            return .needsBytes(atLeast: incomplete.needed)
        }
    }
}
