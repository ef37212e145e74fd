import LeapBase

/// The path that a request asks for.
package enum RequestPath {
    /// The path of a request's target, without the query: `/a?b` and `http://host/a` alike.
    package static func of(target: String) -> String {
        var rest = target[...]
        if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...]
            guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" }), rest[slash] == "/" else { return "/" }
            rest = rest[slash...]
        }
        return String(rest.prefix { $0 != "?" && $0 != "#" })
    }

    /// A part of a path with its escapes decoded; nil for escapes that are none, bytes that are not UTF-8, and control
    /// characters.
    static func decoded(_ part: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap({ HexDigit.value($0) }),
                let low = rest.popFirst().flatMap({ HexDigit.value($0) })
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }),
            bytes.withUnsafeBufferPointer({ UTF8Bytes.firstInvalid($0) }) == nil
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
