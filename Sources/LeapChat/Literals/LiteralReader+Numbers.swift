import LeapBase
import LeapJSON

extension LiteralReader {
    /// Reads an integer in base 10, 16, 8 or 2, or a floating-point number; underscores between digits are skipped.
    mutating func number() throws(FunctionCallSyntaxError) -> JSONValue {
        var isNegative = false
        while let byte = current, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
            if byte == UInt8(ascii: "-") { isNegative.toggle() }
            position += 1
        }
        if current == UInt8(ascii: "0"), position + 1 < bytes.count, let radix = Self.radix(bytes[position + 1]) {
            position += 2
            return try integer(radix: radix, isNegative: isNegative)
        }
        let start = position
        var text = isNegative ? "-" : ""
        var isInteger = true
        scan: while let byte = current {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "_"):
                position += 1
                continue scan
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isInteger = false
            case UInt8(ascii: "+"), UInt8(ascii: "-"):
                guard let before = text.utf8.last, before | 0x20 == UInt8(ascii: "e") else { break scan }
            default: break scan
            }
            text.unicodeScalars.append(Unicode.Scalar(byte))
            position += 1
        }
        guard position > start else { throw failure("expected a number") }
        if isInteger, let value = Int64(text) { return .integer(value) }
        // Swift wants digits on both sides of the point, Python on one.
        if text.hasSuffix(".") { text += "0" }
        text = text.replacing(".e", with: ".0e").replacing(".E", with: ".0e")
        if text.hasPrefix(".") || text.hasPrefix("-.") { text = text.replacing(".", with: "0.", maxReplacements: 1) }
        guard text.utf8.contains(where: ASCIIByte.isDigit), let value = Double(text), value.isFinite else {
            throw failure("'\(ShownText.of(text, limit: 40))' is not a number")
        }
        return .double(value)
    }

    private static func radix(_ byte: UInt8) -> Int? {
        switch byte | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private mutating func integer(radix: Int, isNegative: Bool) throws(FunctionCallSyntaxError) -> JSONValue {
        var digits = isNegative ? "-" : ""
        let start = position
        while let byte = current {
            if byte == UInt8(ascii: "_") {
                position += 1
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { break }
            digits.unicodeScalars.append(Unicode.Scalar(byte))
            position += 1
        }
        guard position > start else { throw failure("expected a digit of base \(radix)") }
        if let value = Int64(digits, radix: radix) { return .integer(value) }
        var value = 0.0
        for character in digits { value = value * Double(radix) + Double(character.hexDigitValue ?? 0) }
        guard value.isFinite else { throw failure("the number is too large") }
        return .double(isNegative ? -value : value)
    }
}
