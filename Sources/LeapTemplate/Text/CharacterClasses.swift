/// Python's character classes, by code point.
enum CharacterClasses {
    /// `str.isspace`, which is also what `strip()`, `split()` and the regular expression `\s` use.
    static func isSpace(_ c: UInt32) -> Bool {
        switch c {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            true
        default:
            false
        }
    }

    /// Line ends of `str.splitlines`.
    static func isLineBreak(_ c: UInt32) -> Bool {
        switch c {
        case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    static func properties(_ c: UInt32) -> Unicode.Scalar.Properties? { Unicode.Scalar(c)?.properties }

    static func isAlpha(_ c: UInt32) -> Bool {
        if c < 0x80 { return (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7A }
        switch properties(c)?.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        default: return false
        }
    }

    static func isDecimal(_ c: UInt32) -> Bool {
        if c < 0x80 { return c >= 0x30 && c <= 0x39 }
        return properties(c)?.generalCategory == .decimalNumber
    }

    static func isDigit(_ c: UInt32) -> Bool {
        if c < 0x80 { return c >= 0x30 && c <= 0x39 }
        switch properties(c)?.numericType {
        case .decimal, .digit: return true
        default: return false
        }
    }

    static func isNumeric(_ c: UInt32) -> Bool {
        if c < 0x80 { return c >= 0x30 && c <= 0x39 }
        return properties(c)?.numericType != nil
    }

    static func isAlphanumeric(_ c: UInt32) -> Bool { isAlpha(c) || isDigit(c) || isNumeric(c) }

    /// The regular expression `\w`.
    static func isWord(_ c: UInt32) -> Bool { c == 0x5F || isAlphanumeric(c) }

    static func isUpper(_ c: UInt32) -> Bool {
        if c < 0x80 { return c >= 0x41 && c <= 0x5A }
        return properties(c)?.isUppercase ?? false
    }

    static func isLower(_ c: UInt32) -> Bool {
        if c < 0x80 { return c >= 0x61 && c <= 0x7A }
        return properties(c)?.isLowercase ?? false
    }

    static func isTitle(_ c: UInt32) -> Bool {
        c >= 0x80 && properties(c)?.generalCategory == .titlecaseLetter
    }

    static func isCased(_ c: UInt32) -> Bool { isUpper(c) || isLower(c) || isTitle(c) }

    /// Returns whether `repr` shows the code point as it is.
    static func isPrintable(_ c: UInt32) -> Bool {
        if c < 0x7F { return c >= 0x20 }
        switch properties(c)?.generalCategory {
        case nil, .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return false
        default:
            return true
        }
    }

    static func isIdentifierStart(_ c: UInt32) -> Bool {
        if c < 0x80 { return c == 0x5F || isAlpha(c) }
        return properties(c)?.isXIDStart ?? false
    }

    static func isIdentifierPart(_ c: UInt32) -> Bool {
        if c < 0x80 { return c == 0x5F || isAlpha(c) || isDecimal(c) }
        return properties(c)?.isXIDContinue ?? false
    }

    /// The value of a decimal digit, ASCII or not.
    static func decimalValue(_ c: UInt32) -> UInt32? {
        if c < 0x80 { return c >= 0x30 && c <= 0x39 ? c - 0x30 : nil }
        guard let properties = properties(c), properties.generalCategory == .decimalNumber,
            let value = properties.numericValue
        else { return nil }
        return UInt32(value)
    }
}
