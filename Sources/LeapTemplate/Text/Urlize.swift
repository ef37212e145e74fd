/// Jinja's `urlize`: links in text become HTML anchors.
struct Urlize {
    var trimLimit: Int?
    var rel: Text = .empty
    var target: Text?
    var schemes: [Text] = []

    func apply(to text: Text, _ renderer: Renderer) throws(TemplateError) -> Text {
        let escaped = text.htmlEscaped
        let relation = rel.isEmpty ? Text.empty : " rel=\"" + rel.htmlEscaped + "\""
        let opening =
            relation + (target.map { $0.isEmpty ? Text.empty : " target=\"" + $0.htmlEscaped + "\"" } ?? .empty)
        var out = [UInt8]()
        var i = 0
        while i < escaped.bytes.count {
            let wordEnd = escaped.skip(from: i) { !CharacterClasses.isSpace($0) }
            try renderer.step(8 + schemes.count)
            // The brackets around a word are taken off one by one.
            let length = wordEnd - i
            try renderer.touch(bytes: (length &* length / 16) &+ (2 &* opening.bytes.count))
            out += word(Text(escaped.bytes[i..<wordEnd]), opening).bytes
            try renderer.checkSize(out.count)
            let end = escaped.skip(from: wordEnd, while: CharacterClasses.isSpace)
            out += escaped.bytes[wordEnd..<end]
            i = end
        }
        return Text(out)
    }

    private func word(_ word: Text, _ attributes: Text) -> Text {
        var bytes = word.bytes
        var head = [UInt8]()
        while let prefix = Self.openers.first(where: { bytes.starts(with: $0) }) {
            head += prefix
            bytes.removeFirst(prefix.count)
        }
        var tail = [UInt8]()
        while let suffix = Self.closers.first(where: {
            bytes.count >= $0.count && bytes.suffix($0.count).elementsEqual($0)
        }) {
            tail = suffix + tail
            bytes.removeLast(suffix.count)
        }
        for (open, close) in Self.pairs {
            let opened = Text(bytes).occurrences(of: Text(open), in: 0..<bytes.count)
            guard opened > Text(bytes).occurrences(of: Text(close), in: 0..<bytes.count) else { continue }
            let closed = Text(tail).occurrences(of: Text(close), in: 0..<tail.count)
            for _ in 0..<min(opened, closed) {
                guard let at = tail.firstOffset(of: close, in: 0..<tail.count) else { break }
                bytes += tail[..<(at + close.count)]
                tail.removeFirst(at + close.count)
            }
        }
        return Text(head) + linked(Text(bytes), attributes) + Text(tail)
    }

    private static let openers: [[UInt8]] = ["(", "<", "&lt;"].map { Array($0.utf8) }
    private static let closers: [[UInt8]] = [")", ">", ".", ",", "\n", "&gt;"].map { Array($0.utf8) }
    private static let pairs: [([UInt8], [UInt8])] = [("(", ")"), ("<", ">"), ("&lt;", "&gt;")].map {
        (Array($0.0.utf8), Array($0.1.utf8))
    }

    private func anchor(_ href: Text, _ shown: Text, _ attributes: Text) -> Text {
        "<a href=\"" + href + "\"" + attributes + ">" + shown + "</a>"
    }

    private func trimmed(_ text: Text) -> Text {
        guard let trimLimit, text.count > trimLimit else { return text }
        let bounds = SliceBounds(start: 0, stop: trimLimit, step: 1, length: text.count)
        return text.slice(bounds, codePoints: text.count) + "..."
    }

    private func linked(_ text: Text, _ attributes: Text) -> Text {
        if LinkPattern.isURL(text) {
            let hasScheme = text.hasPrefix("https://") || text.hasPrefix("http://")
            return anchor(hasScheme ? text : "https://" + text, trimmed(text), attributes)
        }
        if text.hasPrefix("mailto:") {
            let address = Text(text.bytes[7...])
            if LinkPattern.isEmail(address) { return anchor(text, address, .empty) }
        }
        if text.bytes.contains(0x40), !text.hasPrefix("www."), !text.hasPrefix("@"), !text.bytes.contains(0x3A),
            LinkPattern.isEmail(text)
        {
            return anchor("mailto:" + text, text, .empty)
        }
        var result = text
        for scheme in schemes where result != scheme && result.hasPrefix(scheme) {
            result = anchor(result, result, attributes)
        }
        return result
    }
}

/// The patterns by which Jinja tells links.
enum LinkPattern {
    private static func isLetter(_ c: UInt32) -> Bool { c < 0x80 && (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7A }

    /// Returns whether the text is an address: `\S+@\w[\w.-]*\.\w+`.
    static func isEmail(_ text: Text) -> Bool {
        let points = text.codePoints
        for at in points.indices.dropFirst() where points[at] == 0x40 {
            let domain = points[(at + 1)...]
            guard let first = domain.first, CharacterClasses.isWord(first),
                domain.allSatisfy({ CharacterClasses.isWord($0) || $0 == 0x2E || $0 == 0x2D }),
                let dot = domain.dropFirst().lastIndex(of: 0x2E)
            else { continue }
            let last = domain[(dot + 1)...]
            if !last.isEmpty, last.allSatisfy(CharacterClasses.isWord) { return true }
        }
        return false
    }

    /// A host with a scheme, `www.` or a well-known ending, perhaps a port, perhaps a path.
    static func isURL(_ text: Text) -> Bool {
        let points = text.codePoints.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        let end = points.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? points.count
        func starts(_ prefix: String) -> Bool { points.starts(with: prefix.utf8.map(UInt32.init)) }
        var rest = points[...]
        var hasScheme = false
        for scheme in ["https://", "http://"] where starts(scheme) {
            rest = rest.dropFirst(scheme.utf8.count)
            hasScheme = true
            break
        }
        let isWWW = !hasScheme && starts("www.")
        if isWWW { rest = rest.dropFirst(4) }
        let pathStart =
            hasScheme
            ? rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? points.count : end
        var host = Array(rest[rest.startIndex..<max(rest.startIndex, pathStart)])
        if hasScheme, host.first == 0x5B { return isIPv6(host) }
        if let colon = host.lastIndex(of: 0x3A) {
            let port = host[(colon + 1)...]
            guard !port.isEmpty, port.count <= 5, port.allSatisfy(CharacterClasses.isDecimal) else { return false }
            host.removeSubrange(colon...)
        }
        let labels = host.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard let top = labels.last else { return false }
        let domains = labels.dropLast()
        func isLabel(_ label: ArraySlice<UInt32>) -> Bool {
            !label.isEmpty && label.allSatisfy { CharacterClasses.isWord($0) || $0 == 0x25 || $0 == 0x2D }
        }
        if hasScheme, labels.count == 4,
            labels.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(CharacterClasses.isDecimal) })
        {
            return true
        }
        guard domains.allSatisfy(isLabel) else { return false }
        if hasScheme || isWWW {
            if top.starts(with: "xn--".utf8.map(UInt32.init)) {
                let name = top.dropFirst(4)
                return (2...59).contains(name.count) && name.allSatisfy { CharacterClasses.isWord($0) || $0 == 0x25 }
            }
            return (2...63).contains(top.count) && top.allSatisfy(isLetter)
        }
        let known = ["com", "net", "int", "edu", "gov", "org", "info", "mil"]
        return !domains.isEmpty && domains.allSatisfy { (2...63).contains($0.count) }
            && known.contains { top.elementsEqual($0.utf8.map(UInt32.init)) }
    }

    private static func isIPv6(_ host: [UInt32]) -> Bool {
        guard let close = host.firstIndex(of: 0x5D) else { return false }
        let groups = host[1..<close].split(separator: 0x3A, omittingEmptySubsequences: false)
        let isHex = { (c: UInt32) in c >= 0x30 && c <= 0x39 || c >= 0x61 && c <= 0x66 }
        guard (3...9).contains(groups.count), groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy(isHex) }) else {
            return false
        }
        let rest = host[(close + 1)...]
        return rest.isEmpty
            || rest.first == 0x3A && (2...6).contains(rest.count)
                && rest.dropFirst().allSatisfy(CharacterClasses.isDecimal)
    }
}

extension FilterCall {
    func urlize() throws(TemplateError) -> Value {
        let bound = try bind(["trim_url_limit", "nofollow", "target", "rel", "extra_schemes"])
        var links = Urlize()
        if let limit = bound[0], !limit.isNone { links.trimLimit = max(0, try integer(limit, default: 0)) }
        var relations = Set<Text>(["noopener"])
        if bound[1]?.isTrue ?? false { relations.insert("nofollow") }
        if let rel = bound[3]?.text {
            try renderer.touch(rel, times: TextCost.decode)
            relations.formUnion(try rel.splitOnSpace(limit: -1, renderer))
        }
        var joined = [UInt8]()
        for relation in relations.sorted() {
            if !joined.isEmpty { joined.append(0x20) }
            joined += relation.bytes
        }
        links.rel = Text(joined)
        links.target = bound[2]?.text
        if let target = links.target { try renderer.touch(target, times: TextCost.search) }
        if let schemes = bound[4], !schemes.isNone {
            for scheme in try schemes.items(renderer) {
                try renderer.step()
                if let text = scheme.text { try renderer.touch(text, times: TextCost.decode) }
                guard let text = scheme.text, Self.isScheme(text) else {
                    throw .value("\(Repr.message(scheme)) is not a valid URI scheme prefix.")
                }
                links.schemes.append(text)
            }
        }
        let out = try links.apply(to: try Repr.str(value, renderer), renderer)
        try renderer.charge(bytes: out.bytes.count)
        return .string(out)
    }

    /// Returns whether the text is a URI scheme: `[\w.+-]{2,}:(/){0,2}`.
    private static func isScheme(_ text: Text) -> Bool {
        let points = text.codePoints
        guard let colon = points.firstIndex(of: 0x3A), colon >= 2, points.count - colon <= 3 else { return false }
        return points[(colon + 1)...].allSatisfy { $0 == 0x2F }
            && points[..<colon].allSatisfy { CharacterClasses.isWord($0) || [0x2E, 0x2B, 0x2D].contains($0) }
    }
}
