/// The languages of the `format` keyword.
///
/// Unknown names are annotations, as the standard says.
enum Formats {
    /// A pattern that matches the whole text of a format; nil where the name is unknown or names no text format.
    static func pattern(_ name: String) -> String? { patterns[name] }

    /// The names that are enforced.
    static var enforcedNames: [String] { patterns.keys.sorted() }

    private static let octet = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    private static let dateText =
        "([0-9]{4}-(((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01]))|((0[469]|11)-(0[1-9]|[12][0-9]|30))"
        + "|(02-(0[1-9]|1[0-9]|2[0-8])))|\(leapYear)-02-29)"
    /// Years divisible by 4, but by 100 only with 400.
    private static let leapYear =
        "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
    private static let timeText =
        "(([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?|23:59:60(\\.[0-9]+)?)"
        + "([zZ]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
    private static let label = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    private static let atext = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+"
    private static let hex16 = "[0-9a-fA-F]{1,4}"
    private static let pchar = "([a-zA-Z0-9._~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})"

    private static let ipv6: String = {
        let h = hex16
        let tail = "(\(h):\(h)|\(ipv4))"
        return
            "((\(h):){6}\(tail)|::(\(h):){5}\(tail)|(\(h))?::(\(h):){4}\(tail)|((\(h):){0,1}\(h))?::(\(h):){3}\(tail)"
            + "|((\(h):){0,2}\(h))?::(\(h):){2}\(tail)|((\(h):){0,3}\(h))?::\(h):\(tail)|((\(h):){0,4}\(h))?::\(tail)"
            + "|((\(h):){0,5}\(h))?::\(h)|((\(h):){0,6}\(h))?::)"
    }()
    private static let ipv4 = "\(octet)\\.\(octet)\\.\(octet)\\.\(octet)"

    private static func uri(_ p: String, authority: String, required: Bool) -> String {
        let hier = "(//\(authority)(/\(p)*)*|/(\(p)+(/\(p)*)*)?|\(p)+(/\(p)*)*)?"
        let tail = "(\\?(\(p)|[/?])*)?(#(\(p)|[/?])*)?"
        if required { return "[a-zA-Z][a-zA-Z0-9+.-]*:\(hier)\(tail)" }
        let noColon = p.replacingFirst(":@", with: "@")
        let relative = "(//\(authority)(/\(p)*)*|/(\(p)+(/\(p)*)*)?|\(noColon)+(/\(p)*)*)?"
        return "([a-zA-Z][a-zA-Z0-9+.-]*:\(hier)\(tail)|\(relative)\(tail))"
    }

    private static func authority(_ host: String) -> String {
        "(([a-zA-Z0-9._~!$&'()*+,;=:-]|%[0-9a-fA-F]{2})*@)?(\\[(\(ipv6)|v[0-9a-fA-F]+\\.[a-zA-Z0-9._~!$&'()*+,;=:-]+)\\]|\(host)*)(:[0-9]*)?"
    }

    private static let regName = "([a-zA-Z0-9._~!$&'()*+,;=-]|%[0-9a-fA-F]{2})"
    private static let iRegName = "([a-zA-Z0-9._~!$&'()*+,;=-]|[\\u{A0}-\\u{10FFFF}]|%[0-9a-fA-F]{2})"
    private static let ipchar = "([a-zA-Z0-9._~!$&'()*+,;=:@-]|[\\u{A0}-\\u{10FFFF}]|%[0-9a-fA-F]{2})"

    /// Regular expressions with groups up to four deep: what balances at any depth is not a regular language.
    private static let regex: String = {
        let quantifier = "(?:[*+?]\\??)?"
        let atom = "(?:[^\\\\^$*+?()\\[|]|\\\\.|\\[\\^?(?:[^\\]\\\\]|\\\\.)+\\])"
        var body = "(?:\(atom)\(quantifier)|[\\^$|])*"
        for _ in 0..<4 {
            let group = "\\((?:\\?(?:[:=!]|<[=!]|P?<[A-Za-z_][A-Za-z0-9_]*>))?\(body)\\)"
            body = "(?:(?:\(atom)|\(group))\(quantifier)|[\\^$|])*"
        }
        return body
    }()

    private static let patterns: [String: String] = [
        "date": dateText,
        "time": timeText,
        "date-time": "\(dateText)[tT]\(timeText)",
        "duration":
            "P([0-9]+W|([0-9]+Y([0-9]+M([0-9]+D)?)?|[0-9]+M([0-9]+D)?|[0-9]+D)(T(\(durationTime)))?|T(\(durationTime)))",
        "uuid": "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
        "email":
            "(\(atext)(\\.\(atext))*|\"([ !#-\\[\\]-~]|\\\\[ -~])*\")@(\(label)(\\.\(label))*|\\[(\(ipv4)|IPv6:\(ipv6))\\])",
        "hostname": "(?:\(label))(\\.\(label))*",
        "ipv4": ipv4,
        "ipv6": ipv6,
        "uri": uri(pchar, authority: authority(regName), required: true),
        "iri": uri(ipchar, authority: authority(iRegName), required: true),
        "uri-reference": uri(pchar, authority: authority(regName), required: false),
        "iri-reference": uri(ipchar, authority: authority(iRegName), required: false),
        "regex": regex,
        "json-pointer": "(/([^~/]|~[01])*)*",
        "relative-json-pointer": "(0|[1-9][0-9]*)(#|(/([^~/]|~[01])*)*)",
        "uri-template":
            "([^\\u0000-\\u0020\"'<>\\\\^`{|}%]|%[0-9a-fA-F]{2}|\\{[+#./;?&=,!@|]?[a-zA-Z0-9_.%]+(:[1-9][0-9]{0,3}|\\*)?(,[a-zA-Z0-9_.%]+(:[1-9][0-9]{0,3}|\\*)?)*\\})*",
    ]

    private static let durationTime = "[0-9]+H([0-9]+M([0-9]+S)?)?|[0-9]+M([0-9]+S)?|[0-9]+S"
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = self.firstRange(of: part) else { return self }
        return replacingCharacters(range, other)
    }

    private func firstRange(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }

    private func replacingCharacters(_ range: Range<String.Index>, _ other: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: other)
        return copy
    }
}
