import Foundation
import LeapBase

@testable import LeapCore

/// Writes ZIP files for tests, wrong ones too.
struct ZipBuilder {
    private var body: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    private func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// Adds a file; `packed` is its DEFLATE data where it is not stored.
    mutating func add(
        _ name: String, _ data: [UInt8], packed: [UInt8]? = nil, size: UInt32? = nil, checksum: UInt32? = nil,
        flags: UInt16 = 0, method: UInt16? = nil, mode: UInt16 = 0o100644
    ) {
        var crc = CRC32()
        crc.add(data)
        let bytes = packed ?? data
        let method = method ?? (packed == nil ? 0 : 8)
        let common =
            le(UInt16(20)) + le(flags) + le(method) + le(UInt32(0)) + le(checksum ?? crc.value)
            + le(UInt32(bytes.count))
            + le(size ?? UInt32(data.count)) + le(UInt16(name.utf8.count))
        let offset = UInt32(body.count)
        body += [0x50, 0x4B, 3, 4] + common + le(UInt16(0)) + Array(name.utf8) + bytes
        directory +=
            [0x50, 0x4B, 1, 2] + le(UInt16(0x031E)) + common + le(UInt16(0)) + le(UInt16(0)) + le(UInt16(0))
            + le(UInt16(0))
        directory += le(UInt16(0)) + le(mode) + le(offset) + Array(name.utf8)
        count += 1
    }

    /// The file.
    var data: Data {
        var bytes = body + directory + [0x50, 0x4B, 5, 6] + le(UInt32(0)) + le(count) + le(count)
        bytes += le(UInt32(directory.count)) + le(UInt32(body.count)) + le(UInt16(0))
        return Data(bytes)
    }
}

/// A folder that is gone after the test.
struct TemporaryFolder: ~Copyable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "leap-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ data: Data = Data()) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file.path
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
