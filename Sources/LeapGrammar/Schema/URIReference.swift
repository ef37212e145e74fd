import LeapBase

/// Addresses of schemas: RFC 3986 as far as `$id` and `$ref` use it.
enum URIReference {
    /// The part before the fragment, and the fragment (decoded) where there is one.
    static func split(_ reference: String) -> (address: String, fragment: String?) {
        guard let mark = reference.utf8.firstIndex(of: UInt8(ascii: "#")) else { return (reference, nil) }
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

    /// True if a reference begins with a scheme.
    static func isAbsolute(_ reference: String) -> Bool { schemeEnd(reference) != nil }

    /// The index after the scheme's colon.
    private static func schemeEnd(_ text: String) -> String.Index? {
        guard let first = text.utf8.first, isLetter(first) else { return nil }
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: ":"): return text.utf8.index(after: index)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                continue
            case let byte where isLetter(byte): continue
            default: return nil
            }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static let slash = UInt8(ascii: "/")
    private static let question = UInt8(ascii: "?")

    /// A reference without its fragment, seen from a base without one (section 5.2).
    ///
    /// Without a base a relative reference stays relative.
    static func resolve(_ reference: String, base: String) -> String {
        let address = split(reference).address
        if address.isEmpty { return base }
        if isAbsolute(address) { return address }
        let scheme = schemeEnd(base) ?? base.startIndex
        if address.hasPrefix("//") { return base[..<scheme] + address }
        var pathStart = scheme
        if base[scheme...].hasPrefix("//") {
            let host = base.utf8.index(scheme, offsetBy: 2)
            pathStart = base[host...].utf8.firstIndex(of: slash) ?? base.endIndex
        }
        let authority = String(base[..<pathStart])
        let path = base[pathStart..<(base[pathStart...].utf8.firstIndex(of: question) ?? base.endIndex)]
        if address.hasPrefix("?") { return authority + path + address }
        if address.hasPrefix("/") { return authority + withoutDots(address) }
        var directory = pathStart > scheme ? "/" : ""
        if let end = path.utf8.lastIndex(of: slash) { directory = String(path[...end]) }
        return authority + withoutDots(directory + address)
    }

    /// A path without `.` and `..`, its query untouched.
    private static func withoutDots(_ path: String) -> String {
        let end = path.utf8.firstIndex(of: question) ?? path.endIndex
        let parts = path[..<end].utf8.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
        guard parts.contains(where: { $0 == "." || $0 == ".." }) else { return path }
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
        return kept.joined(separator: "/") + path[end...]
    }
}
