import Foundation
import LeapBase

/// SHA-256 values in header fields.
enum DigestFields {
    /// The SHA-256 of `Content-Digest` or `Repr-Digest` (RFC 9530), in hexadecimal.
    static func sha256(_ text: String?) -> String? {
        guard let text else { return nil }
        for member in text.split(separator: ",") {
            let member = member.trimmingCharacters(in: .whitespaces)
            guard member.lowercased().hasPrefix("sha-256=:"), member.hasSuffix(":") else { continue }
            let value = member.dropFirst("sha-256=:".count).dropLast()
            guard let bytes = Data(base64Encoded: String(value)), bytes.count == 32 else { return nil }
            return Hexadecimal.text(of: bytes)
        }
        return nil
    }

    /// An entity tag that is the SHA-256 of the file, as Hugging Face's `X-Linked-Etag` is for large files.
    static func linkedSHA256(_ tag: String?) -> String? {
        guard var text = tag.map({ Substring($0) }) else { return nil }
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        text = text.trimmingQuotes
        return Hexadecimal.isSHA256(text) ? text.lowercased() : nil
    }
}

/// Hexadecimal text.
package enum Hexadecimal {

    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(HexDigit.ascii(byte >> 4))
            text.append(HexDigit.ascii(byte))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether the text is 64 hexadecimal digits.
    static func isSHA256(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}

extension Substring {
    fileprivate var trimmingQuotes: Substring {
        guard count >= 2, first == "\"", last == "\"" else { return self }
        return dropFirst().dropLast()
    }
}
