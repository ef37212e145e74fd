import LeapBase

/// Addresses of schemas: RFC 3986 as far as `$id` and `$ref` use it.
enum URIReference {
    /// The part before the fragment, and the fragment (decoded) where there is one.
    static func split(_ reference: String) -> (address: String, fragment: String?) {
        guard let mark = reference.firstIndex(of: "#") else { return (reference, nil) }
        return (String(reference[..<mark]), percentDecoded(String(reference[reference.index(after: mark)...])))
    }

    static func percentDecoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = HexDigit.value(source[index + 1]), let low = HexDigit.value(source[index + 2])
            {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a reference begins with a scheme.
    static func isAbsolute(_ reference: String) -> Bool { schemeEnd(reference) != nil }

    /// The index after the scheme's colon.
    private static func schemeEnd(_ text: String) -> String.Index? {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, isLetter(first) else { return nil }
        let isScheme = text[..<colon].utf8.allSatisfy { byte in
            isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: ".")
        }
        return isScheme ? text.index(after: colon) : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// A reference without its fragment, seen from a base (section 5.2).
    ///
    /// Without a base a relative reference stays relative.
    static func resolve(_ reference: String, base: String) -> String {
        let address = split(reference).address
        if address.isEmpty { return base }
        if isAbsolute(address) { return address }
        let base = split(base).address
        let scheme = schemeEnd(base) ?? base.startIndex
        if address.hasPrefix("//") { return base[..<scheme] + address }
        var pathStart = scheme
        if base[pathStart...].hasPrefix("//") {
            let host = base.index(pathStart, offsetBy: 2)
            pathStart = base[host...].firstIndex(of: "/") ?? base.endIndex
        }
        let authority = String(base[..<pathStart])
        if address.hasPrefix("?") {
            let path = base[pathStart...]
            return authority + (path.firstIndex(of: "?").map { path[..<$0] } ?? path) + address
        }
        if address.hasPrefix("/") { return authority + withoutDots(address) }
        let path = base[pathStart...].prefix { $0 != "?" }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? (pathStart > scheme ? "/" : "")
        return authority + withoutDots(directory + address)
    }

    /// A path without `.` and `..`, its query untouched.
    private static func withoutDots(_ path: String) -> String {
        let query = path.firstIndex(of: "?").map { String(path[$0...]) } ?? ""
        let parts = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 || kept.first?.isEmpty == false { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return kept.joined(separator: "/") + query
    }
}
