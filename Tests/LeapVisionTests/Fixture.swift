import Foundation
import LeapBase
import LeapVision

/// The image files beside these tests; `make_images.py` and `make_more_images.py` made them.
enum Fixture {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// The pixels that another program made of a file.
    struct Reference: Decodable {
        let width: Int
        let height: Int
        /// CRC-32 of red, green and blue.
        let checksum: UInt32
    }

    static func references() throws -> [String: Reference] {
        try json("images.json", as: [String: Reference].self)
    }

    static func json<T: Decodable>(_ name: String, as type: T.Type) throws -> T {
        try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum = CRC32()
        checksum.add(bytes)
        return checksum.value
    }

    /// The names of all image files that are read without the system's library.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { name in [".jpg", ".png", ".gif", ".bmp"].contains { name.hasSuffix($0) } }.sorted()
    }()
}

/// Numbers that the script draws too: the upper bits of Knuth's linear congruential generator.
struct SharedNumbers {
    var state: UInt64

    mutating func next() -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33)
    }
}
