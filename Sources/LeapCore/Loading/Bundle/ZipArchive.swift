import Foundation
import LeapBase
import LeapChat

/// Reads ZIP files (PKWARE APPNOTE 6.3.10): stored and deflated entries, ZIP64.
///
/// Everything the file says about itself is checked against its size before it is believed. Names that lead out of the
/// folder they are unpacked into, links and encrypted entries are refused.
struct ZipArchive {
    /// One file in the archive.
    struct Entry: Sendable {
        let name: String
        let compressedSize: Int
        let size: Int
        let checksum: UInt32
        let isDeflated: Bool
        let headerOffset: Int
    }

    let path: String
    let byteCount: Int
    let entries: [Entry]
    private let handle: FileHandle

    /// Reads the list of files.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the archive and what is wrong with it.
    init(path: String) throws {
        self.path = path
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            byteCount = Int(clamping: try handle.seekToEnd())
        } catch {
            throw LeapModelLoadingException(message: "\(path) cannot be read", path: path, cause: error)
        }
        entries = try ZipDirectory(handle: handle, byteCount: byteCount, path: path).entries()
    }

    /// Returns whether a file begins as a ZIP file does.
    static func isArchive(_ firstBytes: some Sequence<UInt8>) -> Bool {
        Array(firstBytes.prefix(4)) == [0x50, 0x4B, 3, 4]
    }

    /// The entry of this name.
    func entry(named name: String) -> Entry? { entries.first { $0.name == name } }

    /// The bytes of a small entry.
    ///
    /// - Throws: ``LeapModelLoadingException``, also for an entry of more than `limit` bytes.
    func data(of entry: Entry, limit: Int) throws -> [UInt8] {
        guard entry.size <= limit else {
            throw damaged("'\(entry.name)' has \(entry.size) bytes; at most \(limit) are expected")
        }
        var data: [UInt8] = []
        try unpack(entry) { data.append(contentsOf: $0) }
        return data
    }

    /// Writes an entry to a new file.
    func extract(_ entry: Entry, to url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw LeapModelLoadingException(message: "\(url.path) cannot be written; is the disk full?", path: url.path)
        }
        let output = try FileHandle(forWritingTo: url)
        defer { try? output.close() }
        try unpack(entry) { try output.write(contentsOf: Data($0)) }
    }

    private func unpack(_ entry: Entry, write: @escaping (ArraySlice<UInt8>) throws -> Void) throws {
        let start = try dataOffset(of: entry)
        var position = start
        let end = start + entry.compressedSize
        var checksum = CRC32()
        var size = 0
        func read(_ count: Int) throws -> [UInt8] {
            let count = min(count, end - position)
            guard count > 0 else { return [] }
            try handle.seek(toOffset: UInt64(position))
            let bytes = [UInt8](try handle.read(upToCount: count) ?? Data())
            position += bytes.count
            return bytes
        }
        func put(_ bytes: ArraySlice<UInt8>) throws {
            checksum.add(bytes)
            size += bytes.count
            try write(bytes)
        }
        do {
            if entry.isDeflated {
                try withoutActuallyEscaping(read) { read in
                    try withoutActuallyEscaping(put) { put in
                        try Inflater.inflate(limit: entry.size, read: read, write: put)
                    }
                }
            } else {
                while case let bytes = try read(1 << 20), !bytes.isEmpty { try put(bytes[...]) }
            }
        } catch let failure as Inflater.Failure {
            throw damaged("'\(entry.name)' cannot be unpacked (\(failure.rawValue))")
        }
        guard size == entry.size else {
            throw damaged("'\(entry.name)' unpacks to \(size) bytes; \(entry.size) are declared")
        }
        guard checksum.value == entry.checksum else { throw damaged("the checksum of '\(entry.name)' is wrong") }
    }

    /// Returns the offset of an entry's bytes: behind its own header, whose length only that header knows.
    private func dataOffset(of entry: Entry) throws -> Int {
        try handle.seek(toOffset: UInt64(entry.headerOffset))
        let header = [UInt8](try handle.read(upToCount: 30) ?? Data())
        guard header.count == 30, ZipArchive.isArchive(header) else {
            throw damaged("the header of '\(entry.name)' is not where the directory says")
        }
        let offset = entry.headerOffset + 30 + ZipDirectory.u16(header, 26) + ZipDirectory.u16(header, 28)
        guard offset <= byteCount, entry.compressedSize <= byteCount - offset else {
            throw damaged("'\(entry.name)' goes beyond the end of the file")
        }
        return offset
    }

    private func damaged(_ reason: String) -> LeapModelLoadingException {
        LeapModelLoadingException(message: "\(path) is damaged: \(reason); get it again", path: path)
    }
}
