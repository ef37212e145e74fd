import Foundation
import LeapBase

/// Decodes what a model wrote into the type it was asked for.
enum GeneratedJSON {
    /// - Throws: ``LeapGeneratableDeserializationException`` that says what of the text does not fit.
    static func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = RFC3339.date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a date-time")
            }
            return date
        }
        do {
            do {
                return try decoder.decode(type, from: Data(text.utf8))
            } catch {
                guard let clamped = clamped(text) else { throw error }
                return try decoder.decode(type, from: Data(clamped.utf8))
            }
        } catch {
            throw LeapGeneratableDeserializationException(
                "the reply does not decode into \(type): \(error); it is: \(ShownText.of(text, limit: 200))",
                cause: error)
        }
    }
}

extension GeneratedJSON {
    /// The text with the largest double in place of numbers beyond it; nil where there are none.
    ///
    /// JSON has no largest number, and Foundation reads none that is beyond a double's range.
    private static func clamped(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var isClamped = false
        var isString = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            var end = index + 1
            if isString {
                if byte == UInt8(ascii: "\\") { end = min(index + 2, bytes.count) }
                isString = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) {
                while end < bytes.count, "0123456789.eE+-".utf8.contains(bytes[end]) { end += 1 }
                if let value = Double(String(decoding: bytes[index..<end], as: UTF8.self)), value.isInfinite {
                    result += "\(value < 0 ? "-" : "")\(Double.greatestFiniteMagnitude)".utf8
                    isClamped = true
                    index = end
                    continue
                }
            }
            result += bytes[index..<end]
            index = end
        }
        return isClamped ? String(decoding: result, as: UTF8.self) : nil
    }
}

/// Date-times as JSON Schema's format has them.
///
/// Source: RFC 3339, section 5.6.
enum RFC3339 {
    /// The date of `2026-02-28T12:00:00.5+01:00`; nil where the text is no date-time.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ length: Int) -> Int? {
            guard start + length <= bytes.count else { return nil }
            let digits = bytes[start..<start + length]
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func has(_ characters: String, at index: Int) -> Bool {
            index < bytes.count && characters.utf8.contains(bytes[index])
        }
        guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7),
            let day = number(8, 2), has("Tt ", at: 10), let hour = number(11, 2), has(":", at: 13),
            let minute = number(14, 2), has(":", at: 16), let second = number(17, 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var index = 19
        var fraction = 0.0
        if has(".", at: index) {
            let end = bytes[(index + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
            guard end > index + 1 else { return nil }
            fraction = Double("0." + String(decoding: bytes[(index + 1)..<end], as: UTF8.self)) ?? 0
            index = end
        }
        var offset = 0
        if has("+-", at: index) {
            guard let hours = number(index + 1, 2), has(":", at: index + 3), let minutes = number(index + 4, 2) else {
                return nil
            }
            offset = (has("-", at: index) ? -1 : 1) * (hours * 3600 + minutes * 60)
            index += 6
        } else {
            guard has("Zz", at: index) else { return nil }
            index += 1
        }
        guard index == bytes.count else { return nil }
        let seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Days since 1970 in the Gregorian calendar, counted in years that begin with March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let century = shifted.quotientAndRemainder(dividingBy: 100)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return century.quotient / 4 * 146097 + (century.quotient % 4) * 36524 + century.remainder * 365
            + century.remainder / 4 + dayOfYear - 719468
    }
}
