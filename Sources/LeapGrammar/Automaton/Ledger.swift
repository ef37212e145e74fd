import LeapBase

/// A record of the items and keys of open arrays and objects that later ones must differ from.
///
/// It reads the same bytes as the automaton, from the first array of unique items or object with undeclared keys to its
/// end. Finished values are kept as marks of 128 bits that do not depend on spelling: `1` and `1.0`, escapes and the
/// characters they stand for, and members in any order give one mark. (That two different values share a mark is taken
/// to be impossible.)
struct Ledger {
    struct Frame {
        var isArray: Bool
        /// True if items, or keys, must differ from one another.
        var isTracked: Bool
        /// Marks of the items or keys that are finished.
        var used: Set<ValueMark> = []
        /// The bytes with which earlier texts go on, by the mark of what was read of them.
        var beginnings: [ValueMark: ByteSet] = [:]
        /// The mark of what the container holds so far.
        var sum = ValueMark()
        var key = ValueMark()
    }

    enum Place: UInt8 { case beforeValue, beforeKey, key, afterKey, string, number, literal, afterValue }

    private(set) var frames: [Frame] = []
    private(set) var place = Place.beforeValue
    /// The mark of the string or literal that is being read.
    private var text = ValueMark()
    private var escape = EscapeReader()
    private var number: [UInt8] = []
    /// The mark of the value that ended last.
    private var value = ValueMark()
    /// Marks of the beginnings of the text that is being read.
    private var trail: [(before: ValueMark, byte: UInt8)] = []
    /// True if the text that is being read begins like one that was written.
    private(set) var isConsistent = true
    /// Items and keys written that others must differ from.
    private(set) var usedCount = 0
    /// Bytes read.
    private(set) var byteCount = 0

    /// Beginnings up to this length are distinguished.
    private static let trailLimit = 64

    var isFinished: Bool { frames.isEmpty && byteCount > 0 }

    /// True if the text that is being read is a key, or an item itself.
    var isDirect: Bool { place == .key || place == .string && frames.last.map { $0.isArray && $0.isTracked } ?? false }

    /// True if an item is being read that must differ from others.
    var hasItems: Bool { frames.contains { $0.isArray && !$0.used.isEmpty } }

    /// Containers that have to end before an item that must differ from others does; nil outside of such items.
    var itemDepth: Int? {
        frames.lastIndex { $0.isArray && $0.isTracked }.map { frames.count - 1 - $0 }
    }

    /// True if the array around has an item like the one that ends, or may end, here.
    var repeatsItem: Bool {
        guard let frame = frames.last, frame.isArray, frame.isTracked, !frame.used.isEmpty else { return false }
        switch place {
        case .afterValue: return frame.used.contains(value)
        case .number: return number.last.map { $0 &- 0x30 < 10 } ?? false && frame.used.contains(.number(number))
        case .literal: return frame.used.contains(text.closed(.literal))
        default: return false
        }
    }

    /// True if the object around has the key that ended here.
    var repeatsKey: Bool {
        guard place == .afterKey, let frame = frames.last else { return false }
        return frame.isTracked && frame.used.contains(frame.key)
    }

    /// A mark of all that tells this position, in a state of the automaton, from others that a search comes to.
    func mark(with state: Int32) -> ValueMark {
        var mark = place == .number ? ValueMark.number(number) : text
        for frame in frames {
            mark.add(frame.sum)
            mark.add(frame.key)
        }
        mark.add(value)
        for shift in [0, 8, 16, 24] as [Int32] { mark.add(UInt8(truncatingIfNeeded: state >> shift)) }
        mark.add(place.rawValue)
        return mark
    }

    /// The bytes with which the text that is being read can still be like an earlier one; nil for any.
    var repeatingBytes: ByteSet? {
        guard !frames.isEmpty, let beginning = beginning(after: 0) else { return nil }
        return repeatingBytes(after: beginning)
    }

    /// The mark of the text that is being read, where it tells texts apart after so many more characters; nil inside of
    /// an escape and where the text is long.
    func beginning(after count: Int) -> ValueMark? {
        escape.isOpen || trail.count + count >= Self.trailLimit ? nil : text
    }

    /// Returns the bytes with which a text with a mark can still be like an earlier one.
    func repeatingBytes(after text: ValueMark) -> ByteSet {
        var bytes = frames.last?.beginnings[text] ?? ByteSet()
        bytes.insert(UInt8(ascii: "\\"))
        if frames.last?.used.contains(text.closed(.string)) ?? false { bytes.insert(UInt8(ascii: "\"")) }
        return bytes
    }

    /// Containers around in which something was written that must differ.
    var usedFrames: Int { frames.count { !$0.used.isEmpty } }

    // MARK: Reading

    /// Reads a byte.
    ///
    /// - Parameters:
    ///   - byte: The byte.
    ///   - isTracked: Whether it opens a container whose items or keys must differ.
    mutating func read(_ byte: UInt8, isTracked: Bool) {
        byteCount += 1
        switch place {
        case .key, .string: return readText(byte)
        case .number:
            if Self.isNumeric(byte) { return number.append(byte) }
            finish(.number(number))
        case .literal:
            if (byte | 0x20) &- 0x61 < 26 { return text.add(byte) }
            finish(text.closed(.literal))
        default: break
        }
        switch byte {
        case UInt8(ascii: "\""):
            place = place == .beforeKey ? .key : .string
            text = ValueMark()
            if isDirect {
                trail.removeAll(keepingCapacity: true)
                isConsistent = !(frames.last?.used.isEmpty ?? true)
            }
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let isArray = byte == UInt8(ascii: "[")
            frames.append(Frame(isArray: isArray, isTracked: isTracked))
            place = isArray ? .beforeValue : .beforeKey
        case UInt8(ascii: "]"), UInt8(ascii: "}"): close()
        case UInt8(ascii: ","): separate()
        case UInt8(ascii: ":"): place = .beforeValue
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            number.removeAll(keepingCapacity: true)
            number.append(byte)
            place = .number
        case 0x20, 0x0A, 0x0D, 0x09: break
        default:
            text = ValueMark()
            text.add(byte)
            place = .literal
        }
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+")
    }

    private mutating func readText(_ byte: UInt8) {
        if escape.isOpen || byte == UInt8(ascii: "\\") {
            guard let character = escape.read(byte) else { return }
            var bytes: [UInt8] = []
            UTF8Bytes.append(character, to: &bytes)
            for byte in bytes { add(byte) }
            return
        }
        guard byte == UInt8(ascii: "\"") else { return add(byte) }
        let mark = text.closed(.string)
        if place == .key {
            if let last = frames.indices.last {
                frames[last].key = mark
                keepBeginnings(last)
            }
            place = .afterKey
        } else {
            finish(mark)
        }
    }

    private mutating func add(_ byte: UInt8) {
        defer { text.add(byte) }
        guard isDirect, trail.count < Self.trailLimit else { return }
        trail.append((text, byte))
        if isConsistent, let frame = frames.last { isConsistent = frame.beginnings[text]?.contains(byte) ?? false }
    }

    private mutating func finish(_ mark: ValueMark) {
        value = mark
        place = .afterValue
    }

    /// The value that ended goes into its container.
    private mutating func keepValue() {
        guard place == .afterValue, let last = frames.indices.last else { return }
        if frames[last].isArray {
            frames[last].sum.add(value)
        } else {
            frames[last].sum.join(frames[last].key, value)
        }
    }

    private mutating func separate() {
        keepValue()
        guard let last = frames.indices.last else { return }
        keepUsed(last, frames[last].isArray ? value : frames[last].key)
        if frames[last].isArray { keepBeginnings(last) }
        place = frames[last].isArray ? .beforeValue : .beforeKey
    }

    private mutating func keepUsed(_ index: Int, _ mark: ValueMark) {
        guard frames[index].isTracked else { return }
        if frames[index].used.insert(mark).inserted { usedCount += 1 }
    }

    // (The trail of a text inside the item, in place of the item's own, does no harm.)
    private mutating func keepBeginnings(_ index: Int) {
        if frames[index].isTracked {
            for (before, byte) in trail { frames[index].beginnings[before, default: ByteSet()].insert(byte) }
        }
        trail.removeAll(keepingCapacity: true)
    }

    private mutating func close() {
        keepValue()
        guard let frame = frames.popLast() else { return }
        usedCount -= frame.used.count
        finish(frame.sum.closed(frame.isArray ? .array : .object))
    }
}

/// 128 bits that stand for a value.
struct ValueMark: Hashable {
    enum Kind: UInt64 { case string = 1, number, literal, array, object }

    private var a: UInt64 = 0x6A09_E667_F3BC_C908
    private var b: UInt64 = 0xBB67_AE85_84CA_A73B

    static func == (x: ValueMark, y: ValueMark) -> Bool { x.a == y.a && x.b == y.b }

    func hash(into hasher: inout Hasher) { hasher.combine(a) }

    private mutating func mix(_ x: UInt64, _ y: UInt64) {
        a = (a ^ x) &* 0x9E37_79B9_7F4A_7C15
        a ^= a >> 29
        b = (b &+ y) &* 0xD6E8_FEB8_6659_FD93
        b ^= b >> 32
    }

    mutating func add(_ byte: UInt8) { mix(UInt64(byte) &+ 1, UInt64(byte) &* 0xFF51_AFD7_ED55_8CCD &+ 1) }

    mutating func add(_ other: ValueMark) { mix(other.a, other.b) }

    /// A member of an object: in any order the sum is the same.
    mutating func join(_ key: ValueMark, _ value: ValueMark) {
        var member = key
        member.add(value)
        a = a &+ member.a
        b = b &+ member.b
    }

    func closed(_ kind: Kind) -> ValueMark {
        var result = self
        result.mix(kind.rawValue << 32, kind.rawValue << 40)
        result.mix(a, b)
        return result
    }

    /// The mark of a number: of its digits without leading and trailing zeros, and of the place of its point.
    static func number(_ text: [UInt8]) -> ValueMark {
        var mark = ValueMark()
        var point = 0
        var zeros = 0
        var hasDigits = false
        var isFraction = false
        var index = 0
        while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte &- 0x30 < 10 {
                if hasDigits || byte != 0x30 {
                    hasDigits = true
                    // Zeros count once a digit follows them.
                    if byte == 0x30 {
                        zeros += 1
                    } else {
                        for _ in 0..<zeros { mark.add(0x30) }
                        zeros = 0
                        mark.add(byte)
                    }
                    if !isFraction { point += 1 }
                } else if isFraction {
                    point -= 1
                }
            }
        }
        guard hasDigits else { return ValueMark().closed(.number) }
        var exponent = 0
        let isNegative = index + 1 < text.count && text[index + 1] == UInt8(ascii: "-")
        for byte in text[index...] where byte &- 0x30 < 10 { exponent = min(exponent * 10 + Int(byte - 0x30), 1 << 40) }
        point += isNegative ? -exponent : exponent
        let sign: UInt64 = text.first == UInt8(ascii: "-") ? 1 : 2
        mark.mix(UInt64(bitPattern: Int64(point)), sign)
        return mark.closed(.number)
    }
}

/// Reads the escapes of a JSON string.
private struct EscapeReader {
    /// 0: none; 1: after the backslash; 2…5: before the digits.
    private var step: UInt8 = 0
    private var unit: UInt32 = 0
    /// The first half of a pair, 0 for none.
    private var high: UInt32 = 0

    var isOpen: Bool { step > 0 || high > 0 }

    /// The character that a byte completes.
    mutating func read(_ byte: UInt8) -> UInt32? {
        switch step {
        case 0: step = 1
        case 1:
            if byte == UInt8(ascii: "u") {
                (step, unit) = (2, 0)
            } else {
                step = 0
                return Self.character(byte)
            }
        default:
            unit = unit << 4 | (HexDigit.value(byte) ?? 0)
            step += 1
            if step == 6 {
                step = 0
                if unit >> 10 == 0x36 {
                    high = unit
                } else if high > 0 {
                    defer { high = 0 }
                    return 0x10000 + (high & 0x3FF) << 10 + unit & 0x3FF
                } else {
                    return unit
                }
            }
        }
        return nil
    }

    private static func character(_ byte: UInt8) -> UInt32 {
        switch byte {
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: UInt32(byte)
        }
    }
}
