import Foundation
import LeapBase
import LeapChat

/// The list of files at the end of a ZIP file.
struct ZipDirectory {
    private static let maximumSize = 1 << 26
    let handle: FileHandle
    let byteCount: Int
    let path: String

    static func u16(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    static func u32(_ bytes: [UInt8], _ at: Int) -> Int { u16(bytes, at) | u16(bytes, at + 2) << 16 }
    static func u64(_ bytes: [UInt8], _ at: Int) -> Int {
        Int(clamping: UInt64(u32(bytes, at)) | UInt64(u32(bytes, at + 4)) << 32)
    }

    /// Reads the list.
    func entries() throws -> [ZipArchive.Entry] {
        let (offset, size) = try location()
        guard size <= Self.maximumSize, offset <= byteCount, size <= byteCount - offset else {
            throw damaged("its directory goes beyond the end of the file")
        }
        let directory = try read(at: offset, count: size)
        var entries: [ZipArchive.Entry] = []
        var position = 0
        while directory.count - position >= 46, Self.u32(directory, position) == 0x0201_4B50 {
            let nameLength = Self.u16(directory, position + 28)
            let extraLength = Self.u16(directory, position + 30)
            let end = position + 46 + nameLength + extraLength + Self.u16(directory, position + 32)
            guard end <= directory.count else { throw damaged("its directory is cut off") }
            if let entry = try entry(directory, at: position, nameLength: nameLength, extraLength: extraLength) {
                entries.append(entry)
            }
            position = end
        }
        return entries
    }

    /// Returns the directory's place, from the record at the end of the file (or its 64-bit version in front of that).
    private func location() throws -> (offset: Int, size: Int) {
        let tailLength = min(byteCount, 22 + 0xFFFF)
        let tail = try read(at: byteCount - tailLength, count: tailLength)
        guard tail.count >= 22,
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                Self.u32(tail, $0) == 0x0605_4B50
            })
        else { throw damaged("it has no directory") }
        if end >= 20, Self.u32(tail, end - 20) == 0x0706_4B50 {
            let at = Self.u64(tail, end - 20 + 8)
            guard at <= byteCount - 56 else { throw damaged("its 64-bit directory record is out of place") }
            let record = try read(at: at, count: 56)
            guard record.count == 56, Self.u32(record, 0) == 0x0606_4B50 else {
                throw damaged("its 64-bit directory record is out of place")
            }
            return (Self.u64(record, 48), Self.u64(record, 40))
        }
        return (Self.u32(tail, end + 16), Self.u32(tail, end + 12))
    }

    /// One file; nil for a folder.
    private func entry(
        _ bytes: [UInt8], at position: Int, nameLength: Int, extraLength: Int
    ) throws -> ZipArchive.Entry? {
        let nameStart = position + 46
        let name = String(decoding: bytes[nameStart..<nameStart + nameLength], as: UTF8.self)
        if name.hasSuffix("/") { return nil }
        guard Self.isSafe(name) else {
            throw damaged("the name '\(ShownText.of(name, limit: 80))' points outside of it")
        }
        guard Self.u16(bytes, position + 8) & 1 == 0 else { throw damaged("'\(name)' is encrypted") }
        // The upper half of the attributes is the mode where the archive was made on Unix.
        guard Self.u16(bytes, position + 40) & 0xF000 != 0xA000 else { throw damaged("'\(name)' is a link") }
        let method = Self.u16(bytes, position + 10)
        guard method == 0 || method == 8 else {
            throw damaged("'\(name)' uses compression method \(method); only stored (0) and deflated (8) are supported")
        }
        var sizes = [Self.u32(bytes, position + 24), Self.u32(bytes, position + 20), Self.u32(bytes, position + 42)]
        try widen(&sizes, bytes[nameStart + nameLength..<nameStart + nameLength + extraLength], name: name)
        let (size, compressed, offset) = (sizes[0], sizes[1], sizes[2])
        guard compressed <= byteCount, offset <= byteCount, method == 8 || size == compressed else {
            throw damaged("the sizes of '\(name)' contradict each other")
        }
        // DEFLATE cannot make data more than 1032 times smaller.
        guard size / 1032 <= compressed else { throw damaged("'\(name)' claims to unpack to \(size) bytes") }
        return ZipArchive.Entry(
            name: name, compressedSize: compressed, size: size,
            checksum: UInt32(truncatingIfNeeded: Self.u32(bytes, position + 16)), isDeflated: method == 8,
            headerOffset: offset)
    }

    /// Takes sizes that do not fit into 32 bits from the extra field.
    private func widen(_ sizes: inout [Int], _ extra: ArraySlice<UInt8>, name: String) throws {
        guard sizes.contains(0xFFFF_FFFF) else { return }
        var fields = Array(extra)
        while fields.count >= 4 {
            let length = Self.u16(fields, 2)
            guard length <= fields.count - 4 else { break }
            if Self.u16(fields, 0) == 1 {
                var at = 4
                for index in sizes.indices where sizes[index] == 0xFFFF_FFFF {
                    guard at + 8 <= 4 + length else { break }
                    sizes[index] = Self.u64(fields, at)
                    at += 8
                }
                return
            }
            fields.removeFirst(4 + length)
        }
        throw damaged("the 64-bit sizes of '\(name)' are missing")
    }

    /// Returns whether a name stays inside of the folder that it is put into.
    static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 1024, !name.contains("\\"), !name.contains(":") else { return false }
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 255
        }
    }

    private func read(at offset: Int, count: Int) throws -> [UInt8] {
        do {
            try handle.seek(toOffset: UInt64(offset))
            return [UInt8](try handle.read(upToCount: count) ?? Data())
        } catch {
            throw LeapModelLoadingException(message: "\(path) cannot be read", path: path, cause: error)
        }
    }

    private func damaged(_ reason: String) -> LeapModelLoadingException {
        LeapModelLoadingException(message: "\(path) is damaged: \(reason); get it again", path: path)
    }
}
