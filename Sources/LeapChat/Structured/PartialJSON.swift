import LeapBase

/// Makes the beginning of a JSON text a JSON text of its own.
///
/// Strings that are being written end where they are; members without a value, numbers and words that may go on are
/// left out.
enum PartialJSON {
    /// The longest JSON text that the beginning stands for; nil where there is none yet.
    static func closed(_ text: String) -> String? {
        var scanner = Scanner(bytes: Array(text.utf8))
        return scanner.closed()
    }

    private struct Scanner {
        let bytes: [UInt8]
        private var position = 0
        /// Closing brackets that are owed, innermost last.
        private var open: [UInt8] = []
        /// For each open bracket, innermost last, whether the next string is a key.
        private var isKey: [Bool] = []
        /// The end of the longest beginning that can be closed, what it needs for that.
        private var best: (end: Int, tail: [UInt8])?

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func closed() -> String? {
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "{"): begin(UInt8(ascii: "}"), expectsKey: true)
                case UInt8(ascii: "["): begin(UInt8(ascii: "]"), expectsKey: false)
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard open.popLast() != nil else { return nil }
                    isKey.removeLast()
                    position += 1
                    mark()
                case UInt8(ascii: ","):
                    position += 1
                    if open.last == UInt8(ascii: "}") { isKey[isKey.count - 1] = true }
                case UInt8(ascii: ":"):
                    position += 1
                    if !isKey.isEmpty { isKey[isKey.count - 1] = false }
                case UInt8(ascii: "\""): if !string() { return result }
                case 0x20, 0x09, 0x0A, 0x0D: position += 1
                default: if !word() { return result }
                }
            }
            return result
        }

        private var result: String? {
            best.map { String(decoding: bytes[..<$0.end] + $0.tail, as: UTF8.self) }
        }

        private mutating func begin(_ closer: UInt8, expectsKey: Bool) {
            position += 1
            open.append(closer)
            isKey.append(expectsKey)
            mark()
        }

        private mutating func mark(_ tail: [UInt8] = []) { best = (position, tail + open.reversed()) }

        /// Reads a string; false where the text ends inside.
        private mutating func string() -> Bool {
            position += 1
            let isValue = isKey.last != true
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    position += 1
                    if isValue { mark() }
                    return true
                case UInt8(ascii: "\\"):
                    guard let length = escapeLength() else {
                        if isValue { mark([UInt8(ascii: "\"")]) }
                        return false
                    }
                    position += length
                default: position += 1
                }
            }
            position -= UTF8Bytes.incompleteTail(bytes)
            if isValue { mark([UInt8(ascii: "\"")]) }
            return false
        }

        /// The length of an escape, both halves of a pair together; nil where the text ends inside.
        private func escapeLength() -> Int? {
            guard position + 1 < bytes.count else { return nil }
            guard bytes[position + 1] == UInt8(ascii: "u") else { return 2 }
            guard position + 6 <= bytes.count else { return nil }
            let isHigh =
                bytes[position + 2] | 0x20 == UInt8(ascii: "d")
                && [UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b")].contains(
                    bytes[position + 3] | 0x20)
            return isHigh ? (position + 12 <= bytes.count ? 12 : nil) : 6
        }

        /// Reads a number or word; false where it may go on.
        private mutating func word() -> Bool {
            let ends: [UInt8] = [0x20, 0x09, 0x0A, 0x0D] + Array(",]}".utf8)
            while position < bytes.count, !ends.contains(bytes[position]) { position += 1 }
            guard position < bytes.count else { return false }
            mark()
            return true
        }
    }
}
