import LeapBase

/// `\p{…}`: general categories a few binary properties, from the standard library's Unicode data, and scripts.
enum UnicodeClasses {
    /// The set of a property name such as `L`, `Lu`, `Letter`, `General_Category=Lu`, `Script=Greek`, `Alphabetic`; nil
    /// if unknown.
    static func set(named name: String) -> CodePointSet? {
        known.withLock { known in
            if let set = known[name] { return set }
            guard let set = make(name) else { return nil }
            known[name] = set
            return set
        }
    }

    /// Sets by the names that there are: some take a pass over all characters.
    private static let known = Locked<[String: CodePointSet]>([:])

    private static func make(_ fullName: String) -> CodePointSet? {
        var name = fullName
        if let equals = name.firstIndex(of: "=") {
            let key = name[..<equals]
            name = String(name[name.index(after: equals)...])
            switch key {
            case "gc", "General_Category": break
            case "sc", "Script": return Scripts.set(named: name, withExtensions: false)
            case "scx", "Script_Extensions": return Scripts.set(named: name, withExtensions: true)
            default: return nil
            }
        }
        switch name {
        case "Any": return .all
        case "ASCII": return CodePointSet([0...0x7F])
        case "Alphabetic", "Alpha": return binary(\.isAlphabetic)
        case "Lowercase": return binary(\.isLowercase)
        case "Uppercase": return binary(\.isUppercase)
        case "White_Space": return binary(\.isWhitespace)
        case "ID_Start": return binary(\.isIDStart)
        case "ID_Continue": return binary(\.isIDContinue)
        case "Emoji": return binary(\.isEmoji)
        default: break
        }
        let short = longNames[name] ?? name
        let parts = groups[short] ?? [short]
        var result = CodePointSet.none
        for part in parts {
            guard let set = categories[part] else { return nil }
            result = result.union(set)
        }
        return result
    }

    private static let groups: [String: [String]] = [
        "L": ["Lu", "Ll", "Lt", "Lm", "Lo"], "LC": ["Lu", "Ll", "Lt"], "M": ["Mn", "Mc", "Me"],
        "N": ["Nd", "Nl", "No"], "P": ["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"], "S": ["Sm", "Sc", "Sk", "So"],
        "Z": ["Zs", "Zl", "Zp"], "C": ["Cc", "Cf", "Co", "Cn"],
    ]

    private static let longNames: [String: String] = [
        "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Number": "N",
        "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P",
        "punct": "P", "Symbol": "S", "Separator": "Z", "Space_Separator": "Zs", "Other": "C", "Control": "Cc",
        "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Math_Symbol": "Sm",
        "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Dash_Punctuation": "Pd",
        "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Connector_Punctuation": "Pc",
        "Other_Punctuation": "Po", "Format": "Cf", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
    ]

    /// Made once, on first use: one pass over all scalar values.
    private static let categories: [String: CodePointSet] = {
        var ranges: [String: [ClosedRange<UInt32>]] = [:]
        var start: UInt32 = 0
        var current = ""
        for value: UInt32 in 0...0x10FFFF {
            let name = Unicode.Scalar(value).map { abbreviation($0.properties.generalCategory) } ?? ""
            if name != current {
                if !current.isEmpty { ranges[current, default: []].append(start...value - 1) }
                current = name
                start = value
            }
        }
        ranges[current, default: []].append(start...0x10FFFF)
        return ranges.mapValues { CodePointSet(sorted: $0) }
    }()

    private static func binary(_ property: (Unicode.Scalar.Properties) -> Bool) -> CodePointSet {
        var ranges: [ClosedRange<UInt32>] = []
        var start: UInt32?
        for value: UInt32 in 0...0x10FFFF {
            let isMember = Unicode.Scalar(value).map { property($0.properties) } ?? false
            if isMember, start == nil { start = value }
            if !isMember, let first = start {
                ranges.append(first...value - 1)
                start = nil
            }
        }
        if let start { ranges.append(start...0x10FFFF) }
        return CodePointSet(sorted: ranges)
    }

    private static func abbreviation(_ category: Unicode.GeneralCategory) -> String {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
