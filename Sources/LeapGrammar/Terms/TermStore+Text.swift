import LeapBase

/// Stepping terms by the bytes of UTF-8 text and of JSON strings.
///
/// Between characters the position is 0. Inside a multi-byte character or an escape it is a code: its top byte says
/// what is being read, the rest what was read of it.
extension TermStore {
    /// After the backslash.
    private static let escape: Int32 = 1
    private static let hexTag: Int32 = 1 << 24
    private static let lowBackslashTag: Int32 = 2 << 24
    private static let lowLetterTag: Int32 = 3 << 24
    private static let lowHexTag: Int32 = 4 << 24
    /// 5, 6, 7: inside a character of 2, 3, 4 bytes.
    private static let utf8Tag: Int32 = 3

    /// 8: inside a character whatever of its length it will be; the language is that after it already.
    ///
    /// Bytes to come in bits 20…23, the limits of the next byte (index into ``continuations``) below.
    private static let anyTag: Int32 = 8 << 24
    /// Limits of the byte after a lead byte: in general, after E0, ED, F0, F4.
    private static let continuations: [ClosedRange<UInt8>] = [
        0x80...0xBF, 0xA0...0xBF, 0x80...0x9F, 0x90...0xBF, 0x80...0x8F,
    ]

    enum Step {
        case dead
        case closed
        case inside(ID, Int32)
    }

    private func isLive(_ set: Int32, _ range: ClosedRange<UInt32>) -> Bool { sets[Int(set)].intersects(range) }

    private mutating func taking(_ id: ID, _ codePoint: UInt32) -> Step {
        live(id).contains(codePoint) ? .inside(derivative(id, codePoint), 0) : .dead
    }

    /// The characters that may be written as escapes here.
    mutating func escapeSet(_ id: ID) -> Int32 {
        let live = liveSet(id)
        if isLengthOnly(id) || takesAnyText(id) { return live }
        return setID(sets[Int(live)].intersection(.restrictedEscapes))
    }

    /// The characters after which the text can still be completed.
    mutating func live(_ id: ID) -> CodePointSet {
        let set = liveSet(id)
        return sets[Int(set)]
    }

    private mutating func escapes(_ id: ID) -> CodePointSet {
        let set = escapeSet(id)
        return sets[Int(set)]
    }

    // MARK: UTF-8

    /// One byte of UTF-8 text; controls are characters like others.
    mutating func textStep(_ id: ID, _ position: Int32, _ byte: UInt8) -> Step {
        if position == 0 {
            if byte < 0x80 { return taking(id, UInt32(byte)) }
            let length: Int32 =
                byte >= 0xC2 && byte < 0xE0 ? 2 : byte >= 0xE0 && byte < 0xF0 ? 3 : byte >= 0xF0 && byte < 0xF5 ? 4 : 0
            if length == 0 { return .dead }
            let bits = UInt32(byte) & (0x7F >> UInt32(length))
            if isUniform(id, lead: byte, length: length, bits: bits) {
                let limits: Int32 = byte == 0xE0 ? 1 : byte == 0xED ? 2 : byte == 0xF0 ? 3 : byte == 0xF4 ? 4 : 0
                let rest = Self.anyTag | (length - 1) << 20 | limits
                let span = Self.span((Self.utf8Tag + length) << 24 | (length - 1) << 20 | Int32(bits))
                guard live(id).contains(span.lowerBound) else { return .dead }
                return .inside(derivative(id, span.lowerBound), rest)
            }
            let next = (Self.utf8Tag + length) << 24 | (length - 1) << 20 | Int32(bits)
            return live(id).intersects(Self.span(next)) ? .inside(id, next) : .dead
        }
        guard byte & 0xC0 == 0x80 else { return .dead }
        if position >> 24 == 8 {
            guard Self.continuations[Int(position & 0xF)].contains(byte) else { return .dead }
            let left = (position >> 20 & 0xF) - 1
            return .inside(id, left == 0 ? 0 : Self.anyTag | left << 20)
        }
        let remaining = position >> 20 & 0xF
        let bits = UInt32(position & 0xFFFFF) << 6 | UInt32(byte & 0x3F)
        if remaining == 1 {
            let minimum: UInt32 = position >> 24 == 5 ? 0x80 : position >> 24 == 6 ? 0x800 : 0x10000
            return bits >= minimum && bits <= 0x10FFFF ? taking(id, bits) : .dead
        }
        let next = position & ~0xFFFFFF | (remaining - 1) << 20 | Int32(bits)
        let span = Self.span(next)
        return live(id).intersects(span) ? .inside(id, next) : .dead
    }

    /// True if all characters with a lead byte have one derivative.
    private mutating func isUniform(_ id: ID, lead: UInt8, length: Int32, bits: UInt32) -> Bool {
        if id == Self.all { return true }
        let span = Self.span((Self.utf8Tag + length) << 24 | (length - 1) << 20 | Int32(bits))
        let bounds = bounds(id)
        var low = 0
        var high = bounds.count
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] <= span.lowerBound { low = middle + 1 } else { high = middle }
        }
        while low < bounds.count, bounds[low] <= span.upperBound {
            if bounds[low] != 0xD800 && bounds[low] != 0xE000 { return false }
            low += 1
        }
        return true
    }

    /// The code points that a UTF-8 position can still become; `0x110000...0x110000` where there are none.
    private static func span(_ position: Int32) -> ClosedRange<UInt32> {
        let shift = UInt32(position >> 20 & 0xF) * 6
        let bits = UInt32(position & 0xFFFFF)
        let minimum: UInt32 = position >> 24 == 5 ? 0x80 : position >> 24 == 6 ? 0x800 : 0x10000
        let low = max(bits << shift, minimum)
        let high = min(bits << shift | ((1 << shift) - 1), 0x10FFFF)
        return low <= high ? low...high : 0x110000...0x110000
    }

    // MARK: JSON strings

    /// One byte between the quotes of a JSON string; `closed` at the quote.
    mutating func stringStep(_ id: ID, _ position: Int32, _ byte: UInt8) -> Step {
        if position == 0 {
            switch byte {
            case UInt8(ascii: "\""): return self[id].isNullable ? .closed : .dead
            case UInt8(ascii: "\\"): return escapes(id).isEmpty && !isSolidusLive(id) ? .dead : .inside(id, Self.escape)
            case 0..<0x20: return .dead
            default: return textStep(id, 0, byte)
            }
        }
        if position == Self.escape { return escapeStep(id, byte) }
        switch position & ~0xFFFFFF {
        case Self.hexTag: return hexStep(id, position, byte)
        case Self.lowBackslashTag:
            return byte == UInt8(ascii: "\\") ? .inside(id, Self.lowLetterTag | position & 0x3FF) : .dead
        case Self.lowLetterTag:
            return byte == UInt8(ascii: "u") ? .inside(id, Self.lowHexTag | (position & 0x3FF) << 14) : .dead
        case Self.lowHexTag: return lowHexStep(id, position, byte)
        default: return textStep(id, position, byte)
        }
    }

    private mutating func isSolidusLive(_ id: ID) -> Bool {
        self[id].kind != .trie && live(id).contains(0x2F)
    }

    private mutating func escapeStep(_ id: ID, _ byte: UInt8) -> Step {
        let codePoint: UInt32
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): codePoint = UInt32(byte)
        case UInt8(ascii: "/"): return isSolidusLive(id) ? taking(id, 0x2F) : .dead
        case UInt8(ascii: "b"): codePoint = 8
        case UInt8(ascii: "f"): codePoint = 12
        case UInt8(ascii: "n"): codePoint = 10
        case UInt8(ascii: "r"): codePoint = 13
        case UInt8(ascii: "t"): codePoint = 9
        case UInt8(ascii: "u"): return escapes(id).isEmpty ? .dead : .inside(id, Self.hexTag)
        default: return .dead
        }
        return taking(id, codePoint)
    }

    /// `\u` and up to four digits.
    ///
    /// Code: digits read in bits 16…19, their value below.
    private mutating func hexStep(_ id: ID, _ position: Int32, _ byte: UInt8) -> Step {
        guard let digit = HexDigit.value(byte) else { return .dead }
        let read = position >> 16 & 0xF
        let value = UInt32(position & 0xFFFF) << 4 | digit
        let allowed = escapeSet(id)
        if read == 3 {
            if value >> 10 == 0x36 {
                let high = value & 0x3FF
                let low = 0x10000 + high << 10
                return isLive(allowed, low...low + 0x3FF) ? .inside(id, Self.lowBackslashTag | Int32(high)) : .dead
            }
            return sets[Int(allowed)].contains(value) ? .inside(derivative(id, value), 0) : .dead
        }
        let shift = UInt32(3 - read) * 4
        let range = value << shift...(value << shift | ((1 << shift) - 1))
        var isPossible = isLive(allowed, range)
        if !isPossible, range.overlaps(0xD800...0xDBFF) {
            let low = 0x10000 + (max(range.lowerBound, 0xD800) & 0x3FF) << 10
            let high = 0x10000 + (min(range.upperBound, 0xDBFF) & 0x3FF) << 10 + 0x3FF
            isPossible = isLive(allowed, low...high)
        }
        return isPossible ? .inside(id, Self.hexTag | (read + 1) << 16 | Int32(value)) : .dead
    }

    /// The low surrogate's digits.
    ///
    /// Code: high surrogate's ten bits at 14, digits read at 12, their value below.
    private mutating func lowHexStep(_ id: ID, _ position: Int32, _ byte: UInt8) -> Step {
        guard let digit = HexDigit.value(byte) else { return .dead }
        let high = UInt32(position >> 14 & 0x3FF)
        let read = position >> 12 & 3
        let value = UInt32(position & 0xFFF) << 4 | digit
        let shift = UInt32(3 - read) * 4
        let first = max(value << shift, 0xDC00)
        let last = min(value << shift | ((1 << shift) - 1), 0xDFFF)
        guard first <= last else { return .dead }
        let base = 0x10000 + high << 10
        let range = base + (first & 0x3FF)...base + (last & 0x3FF)
        let allowed = escapeSet(id)
        if read == 3 {
            return sets[Int(allowed)].contains(range.lowerBound) ? .inside(derivative(id, range.lowerBound), 0) : .dead
        }
        return isLive(allowed, range)
            ? .inside(id, Self.lowHexTag | Int32(high) << 14 | (read + 1) << 12 | Int32(value)) : .dead
    }

    /// Bytes that may follow between characters of a JSON string (with the quote) or of plain text.
    mutating func firstBytes(_ id: ID, isJSON: Bool) -> ByteSet {
        let live = live(id)
        var bytes = ByteSet()
        for range in live.ranges {
            if range.lowerBound < 0x80 {
                for codePoint in range.lowerBound...min(range.upperBound, 0x7F) {
                    if !isJSON || codePoint >= 0x20 && codePoint != 0x22 && codePoint != 0x5C {
                        bytes.insert(UInt8(codePoint))
                    }
                }
            }
            if range.upperBound >= 0x80 {
                var first: [UInt8] = []
                var last: [UInt8] = []
                UTF8Bytes.append(max(range.lowerBound, 0x80), to: &first)
                UTF8Bytes.append(range.upperBound, to: &last)
                for lead in first[0]...last[0] { bytes.insert(lead) }
            }
        }
        if isJSON {
            if self[id].isNullable { bytes.insert(UInt8(ascii: "\"")) }
            if !escapes(id).isEmpty || isSolidusLive(id) { bytes.insert(UInt8(ascii: "\\")) }
        }
        return bytes
    }

    /// Bytes that may follow inside a character or an escape.
    mutating func interiorBytes(_ id: ID, _ position: Int32, isJSON: Bool) -> ByteSet {
        var bytes = ByteSet()
        switch position >> 24 {
        case 8: for byte in Self.continuations[Int(position & 0xF)] { bytes.insert(byte) }
        case 5...7:
            let live = live(id)
            let remaining = position >> 20 & 0xF
            for byte: UInt8 in 0x80...0xBF {
                let bits = UInt32(position & 0xFFFFF) << 6 | UInt32(byte & 0x3F)
                let next = position & ~0xFFFFFF | (remaining - 1) << 20 | Int32(bits)
                if live.intersects(Self.span(next)) { bytes.insert(byte) }
            }
        default:
            let candidates: [UInt8]
            switch position >> 24 {
            case 0: candidates = Self.escapeLetters
            case 1, 4: candidates = Self.hexadecimal
            default: candidates = Self.escapeMarks
            }
            for byte in candidates {
                if case .inside = stringStep(id, position, byte) { bytes.insert(byte) }
            }
        }
        return bytes
    }

    private static let escapeLetters = Array("\"\\/bfnrtu".utf8)
    private static let hexadecimal = Array("0123456789abcdefABCDEF".utf8)
    private static let escapeMarks = Array("\\u".utf8)

    /// Bytes to the end of the text from a position, without the quote.
    ///
    /// Inside a character or an escape it is the cost by way of the least character that is possible, so one step along
    /// it always lowers the cost.
    mutating func cost(_ id: ID, position: Int32) -> Int32 {
        switch position & ~0xFFFFFF {
        case 0:
            if position == 0 { return cost(id) }
            var best = Self.unreachable
            for short: UInt32 in [0x22, 0x5C, 0x08, 0x0C, 0x0A, 0x0D, 0x09] where live(id).contains(short) {
                best = min(best, Self.sum(cost(derivative(id, short)), 1))
            }
            if isSolidusLive(id) { best = min(best, Self.sum(cost(derivative(id, 0x2F)), 1)) }
            return best != Self.unreachable ? best : Self.sum(cost(id, position: Self.hexTag), 1)
        case Self.hexTag:
            let read = position >> 16 & 0xF
            let shift = UInt32(4 - read) * 4
            let value = UInt32(position & 0xFFFF)
            let range = value << shift...(value << shift | ((1 << shift) - 1))
            if let low = escapes(id).first(in: range) {
                return Self.sum(cost(derivative(id, low)), 4 - read)
            }
            let high = (max(range.lowerBound, 0xD800) & 0x3FF)
            let top = (min(range.upperBound, 0xDBFF) & 0x3FF)
            guard range.overlaps(0xD800...0xDBFF), high <= top else { return Self.unreachable }
            return Self.sum(escapeCost(id, 0x10000 + high << 10...0x10000 + top << 10 + 0x3FF), 10 - read)
        case Self.lowBackslashTag, Self.lowLetterTag:
            let base = 0x10000 + UInt32(position & 0x3FF) << 10
            return Self.sum(
                escapeCost(id, base...base + 0x3FF), position & ~0xFFFFFF == Self.lowLetterTag ? 5 : 6)
        case Self.lowHexTag:
            let read = position >> 12 & 3
            let shift = UInt32(4 - read) * 4
            let value = UInt32(position & 0xFFF)
            let first = max(value << shift, 0xDC00) & 0x3FF
            let last = min(value << shift | ((1 << shift) - 1), 0xDFFF) & 0x3FF
            let base = 0x10000 + UInt32(position >> 14 & 0x3FF) << 10
            return first <= last ? Self.sum(escapeCost(id, base + first...base + last), 4 - read) : Self.unreachable
        case Self.anyTag: return Self.sum(cost(id), position >> 20 & 0xF)
        default:
            guard let low = live(id).first(in: Self.span(position)) else { return Self.unreachable }
            return Self.sum(cost(derivative(id, low)), position >> 20 & 0xF)
        }
    }

    private mutating func escapeCost(_ id: ID, _ range: ClosedRange<UInt32>) -> Int32 {
        guard let low = escapes(id).first(in: range) else { return Self.unreachable }
        return cost(derivative(id, low))
    }
}

extension TermStore {
    /// The character that a byte completes, given the position before it.
    func character(read byte: UInt8, after position: Int32) -> UInt32 {
        switch position & ~0xFFFFFF {
        case 0:
            guard position != 0 else { return UInt32(byte) }
            switch byte {
            case UInt8(ascii: "b"): return 8
            case UInt8(ascii: "f"): return 12
            case UInt8(ascii: "n"): return 10
            case UInt8(ascii: "r"): return 13
            case UInt8(ascii: "t"): return 9
            default: return UInt32(byte)
            }
        case 1 << 24: return UInt32(position & 0xFFFF) << 4 | (HexDigit.value(byte) ?? 0)
        case 4 << 24:
            let low = UInt32(position & 0xFFF) << 4 | (HexDigit.value(byte) ?? 0)
            return 0x10000 + UInt32(position >> 14 & 0x3FF) << 10 + low & 0x3FF
        default: return UInt32(position & 0xFFFFF) << 6 | UInt32(byte & 0x3F)
        }
    }
}
