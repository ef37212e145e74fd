import Foundation

/// The tag with titles and pictures in front of a sound (ID3 version 2).
enum ID3Tag {
    /// The bytes after the tag; all of them where there is none, or where it is longer than the file.
    static func dropped(from data: Data) -> Data {
        let header = [UInt8](data.prefix(10))
        // Four times seven bits.
        guard header.count == 10, header.starts(with: "ID3".utf8), header[6...].allSatisfy({ $0 < 0x80 }) else {
            return data
        }
        let length = 10 + header[6...].reduce(0) { $0 << 7 | Int($1) }
        return length < data.count ? data.dropFirst(length) : data
    }
}
