/// Canonical decompositions (NFD) of single characters, without the reordering of marks.
struct Decompositions: Sendable {
    /// The one table.
    static let shared = Decompositions()

    private var parts: [UInt32: [UInt32]] = [:]

    private init() {
        let data = DecompositionData.entries
        var key: UInt32?
        var values: [UInt32] = []
        var number: UInt32 = 0
        func digit(_ byte: UInt8) -> UInt32 { UInt32(byte) - (byte < 0x41 ? 0x30 : 0x37) }
        for byte in UnsafeBufferPointer(start: data.utf8Start, count: data.utf8CodeUnitCount) + [UInt8(ascii: ";")] {
            switch byte {
            case UInt8(ascii: "="):
                key = number
                number = 0
            case UInt8(ascii: ","), UInt8(ascii: ";"):
                values.append(number)
                number = 0
                if byte == UInt8(ascii: ";") {
                    if let key { parts[key] = values }
                    values.removeAll()
                }
            default:
                number = number << 4 | digit(byte)
            }
        }
    }

    /// Calls `body` with each part of `code`: itself if it does not decompose.
    func forEachPart(of code: UInt32, _ body: (UInt32) -> Void) {
        if code &- 0xAC00 < 11172 {
            // Hangul syllables decompose by arithmetic (Unicode Standard, section 3.12).
            let index = code - 0xAC00
            body(0x1100 + index / 588)
            body(0x1161 + index % 588 / 28)
            if index % 28 != 0 { body(0x11A7 + index % 28) }
        } else if let parts = parts[code] {
            for part in parts { body(part) }
        } else {
            body(code)
        }
    }
}
