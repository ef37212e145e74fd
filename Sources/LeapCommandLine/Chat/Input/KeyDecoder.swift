/// Turns the bytes of a terminal into keys.
///
/// Control sequences as ECMA-48 has them, with the final characters and numbers that xterm, VT220 and the Linux console
/// send. A sequence that is not known is dropped as a whole, so that none of it ends up in the text.
struct KeyDecoder {
    /// Bytes that a paste may have, unless another limit is set; what comes beyond is dropped.
    static let maxPasteBytes = 16 << 20
    private let maxPasteBytes: Int
    /// Bytes that a control sequence may have.
    private static let maxSequenceBytes = 64
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Bytes that are not decided yet: the beginning of a sequence or of a character.
    private var pending: [UInt8] = []
    /// The bytes of a paste that has begun.
    private var pasted: [UInt8]?
    /// True if bytes were replaced that are no UTF-8; ``shortened`` if some were dropped because a paste is too long.
    private(set) var repaired = false
    private(set) var shortened = false

    init(maxPasteBytes: Int = Self.maxPasteBytes) {
        self.maxPasteBytes = maxPasteBytes
    }

    /// True if bytes wait for those that follow them.
    var isUndecided: Bool { !pending.isEmpty }

    /// The keys that these bytes complete.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        var text: [UInt8] = []
        for byte in bytes {
            if pasted != nil {
                paste(byte, &keys)
                continue
            }
            if pending.isEmpty, byte >= 0x20, byte < 0x7F {
                text.append(byte)
                continue
            }
            flush(&text, &keys)
            pending.append(byte)
            step(&keys)
        }
        flush(&text, &keys)
        return keys
    }

    /// Returns the undecided bytes as keys as they are: no more bytes come for now.
    mutating func decide() -> [Key] {
        guard pasted == nil, !pending.isEmpty else { return [] }
        let bytes = pending
        pending = []
        if bytes == [0x1B] { return [.cancel] }
        // Alt with a character that begins a sequence elsewhere, or a sequence that never ended.
        if bytes[0] == 0x1B { return [] }
        repaired = true
        return [.text("\u{FFFD}")]
    }

    /// Returns whether bytes had to be replaced or dropped since this was asked last.
    mutating func takeFaults() -> (repaired: Bool, shortened: Bool) {
        defer { (repaired, shortened) = (false, false) }
        return (repaired, shortened)
    }

    private mutating func flush(_ text: inout [UInt8], _ keys: inout [Key]) {
        guard !text.isEmpty else { return }
        keys.append(.text(String(decoding: text, as: UTF8.self)))
        text = []
    }

    private mutating func paste(_ byte: UInt8, _ keys: inout [Key]) {
        guard var bytes = pasted else { return }
        pasted = nil
        bytes.append(byte)
        if byte == Self.pasteEnd.last, bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            bytes.removeLast(Self.pasteEnd.count)
            keys.append(.paste(readable(bytes)))
            return
        }
        // The end mark has to be recognised also behind the limit.
        if bytes.count >= maxPasteBytes + Self.pasteEnd.count {
            bytes.remove(at: bytes.count - Self.pasteEnd.count - 1)
            shortened = true
        }
        pasted = bytes
    }

    /// Text with line feeds as line ends; what is no UTF-8 is replaced.
    private mutating func readable(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if String(validating: bytes, as: UTF8.self) == nil { repaired = true }
        return text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    /// Decides on what is pending, if that can be done.
    private mutating func step(_ keys: inout [Key]) {
        let first = pending[0]
        if first == 0x1B {
            sequence(&keys)
        } else if first >= 0x80 {
            character(&keys)
        } else {
            pending = []
            if let key = Self.control[first] { keys.append(key) }
        }
    }

    private mutating func character(_ keys: inout [Key]) {
        let first = pending[0]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        let last = pending[pending.count - 1]
        let isBroken = pending.count > 1 && last & 0xC0 != 0x80
        guard isBroken || pending.count >= length else { return }
        let bytes = isBroken ? Array(pending.dropLast()) : pending
        pending = []
        if let text = String(validating: bytes, as: UTF8.self) {
            keys.append(.text(text))
        } else {
            repaired = true
            keys.append(.text("\u{FFFD}"))
        }
        if isBroken {
            // The byte that broke it begins something else.
            if last >= 0x20, last < 0x7F {
                keys.append(.text(String(UnicodeScalar(last))))
            } else {
                pending = [last]
                step(&keys)
            }
        }
    }

    private mutating func sequence(_ keys: inout [Key]) {
        guard pending.count > 1 else { return }
        let second = pending[1]
        switch second {
        case UInt8(ascii: "["), UInt8(ascii: "O"):
            guard pending.count > 2 else { return }
            let last = pending[pending.count - 1]
            // The Linux console's function keys: ESC [ [ A.
            if pending.count == 3, last == UInt8(ascii: "[") { return }
            guard last >= 0x40, last <= 0x7E else {
                if last < 0x20 || last > 0x7E || pending.count > Self.maxSequenceBytes { pending = [] }
                return
            }
            let body = String(decoding: pending[2..<(pending.count - 1)], as: UTF8.self)
            pending = []
            if body.hasPrefix("[") { return }
            if body == "200", last == UInt8(ascii: "~") {
                pasted = []
            } else if let key = Self.key(body, last) {
                keys.append(key)
            }
        case 0x1B:
            pending = [0x1B]
            keys.append(.cancel)
        default:
            pending = []
            if let key = Self.alt[second] { keys.append(key) }
        }
    }

    /// The key of a control sequence with these parameters and this final byte.
    private static func key(_ body: String, _ last: UInt8) -> Key? {
        let parameters = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        // 1 + shift, 2 alt, 4 control; either of the latter moves by words.
        let modifier = parameters.count > 1 ? parameters[1] - 1 : 0
        let byWord = modifier > 0 && modifier & 6 != 0
        switch UnicodeScalar(last) {
        case "A": return .up
        case "B": return .down
        case "C": return byWord ? .wordRight : .right
        case "D": return byWord ? .wordLeft : .left
        case "H": return .lineStart
        case "F": return .lineEnd
        case "M": return .enter
        case "~":
            switch parameters.first ?? 0 {
            case 1, 7: return .lineStart
            case 4, 8: return .lineEnd
            case 3: return byWord ? .deleteWordRight : .deleteForward
            default: return nil
            }
        // The codes of kitty and of xterm's modifyOtherKeys for Return with a modifier.
        case "u": return parameters.first == 13 ? (modifier > 0 ? .newLine : .enter) : nil
        default: return nil
        }
    }

    private static let control: [UInt8: Key] = [
        0x01: .lineStart, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .lineEnd, 0x06: .right, 0x07: .cancel,
        0x08: .backspace, 0x09: .tab, 0x0A: .enter, 0x0B: .deleteToEnd, 0x0C: .clearScreen, 0x0D: .enter,
        0x0E: .nextEntry, 0x10: .previousEntry, 0x12: .search, 0x14: .transpose, 0x15: .deleteToStart,
        0x17: .deleteWordLeft, 0x19: .yank, 0x1A: .suspend, 0x7F: .backspace,
    ]

    private static let alt: [UInt8: Key] = [
        0x0D: .newLine, 0x0A: .newLine, 0x7F: .deleteWordLeft, 0x08: .deleteWordLeft,
        UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight, UInt8(ascii: "d"): .deleteWordRight,
    ]
}
