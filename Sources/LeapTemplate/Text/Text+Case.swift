extension Text {
    var lowercased: Text {
        if isASCII { return mapASCII { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 } }
        let points = codePoints
        var out = [UInt8]()
        for (i, c) in points.enumerated() { Self.appendLower(c, at: i, in: points, to: &out) }
        return Text(out)
    }

    var uppercased: Text {
        if isASCII { return mapASCII { $0 >= 0x61 && $0 <= 0x7A ? $0 & 0xDF : $0 } }
        var out = [UInt8]()
        for c in codePoints { Self.append(c, \.uppercaseMapping, to: &out) }
        return Text(out)
    }

    /// `str.capitalize`: the first code point in title case, the rest in lower case.
    var capitalized: Text {
        let points = codePoints
        var out = [UInt8]()
        for (i, c) in points.enumerated() {
            if i == 0 {
                Self.append(c, \.titlecaseMapping, to: &out)
            } else {
                Self.appendLower(c, at: i, in: points, to: &out)
            }
        }
        return Text(out)
    }

    /// `str.title`: every cased code point after an uncased one in title case, the others in lower case.
    var titlecased: Text {
        let points = codePoints
        var out = [UInt8]()
        var previousCased = false
        for (i, c) in points.enumerated() {
            if previousCased {
                Self.appendLower(c, at: i, in: points, to: &out)
            } else {
                Self.append(c, \.titlecaseMapping, to: &out)
            }
            previousCased = CharacterClasses.isCased(c)
        }
        return Text(out)
    }

    var swapcased: Text {
        let points = codePoints
        var out = [UInt8]()
        for (i, c) in points.enumerated() {
            if CharacterClasses.isUpper(c) {
                Self.appendLower(c, at: i, in: points, to: &out)
            } else if CharacterClasses.isLower(c) {
                Self.append(c, \.uppercaseMapping, to: &out)
            } else {
                out.append(codePoint: c)
            }
        }
        return Text(out)
    }

    /// `str.casefold`.
    ///
    /// The standard library has no folding table; lower case of upper case agrees with it for all but a few historic
    /// scripts.
    var casefolded: Text {
        if isASCII { return lowercased }
        var out = [UInt8]()
        for c in codePoints {
            if c == 0x1E9E || c == 0xDF {
                out.append(ascii: "ss")
            } else {
                Self.append(c, \.lowercaseMapping, to: &out)
            }
        }
        return Text(out)
    }

    private func mapASCII(_ body: (UInt8) -> UInt8) -> Text {
        Text(bytes.map(body))
    }

    private static func append(
        _ c: UInt32, _ mapping: KeyPath<Unicode.Scalar.Properties, String>, to out: inout [UInt8]
    ) {
        if let properties = CharacterClasses.properties(c) {
            out.append(contentsOf: properties[keyPath: mapping].utf8)
        } else {
            out.append(codePoint: c)
        }
    }

    /// Lower case, with the one contextual rule Python applies: a sigma that ends a word.
    private static func appendLower(_ c: UInt32, at index: Int, in points: [UInt32], to out: inout [UInt8]) {
        guard c == 0x3A3 else { return append(c, \.lowercaseMapping, to: &out) }
        func cased(_ indexes: some Sequence<Int>) -> Bool {
            for i in indexes {
                guard let properties = CharacterClasses.properties(points[i]) else { return false }
                if properties.isCaseIgnorable { continue }
                return properties.isCased
            }
            return false
        }
        let isFinal =
            cased(stride(from: index - 1, through: 0, by: -1))
            && !cased(stride(from: index + 1, to: points.count, by: 1))
        out.append(codePoint: isFinal ? 0x3C2 : 0x3C3)
    }
}
