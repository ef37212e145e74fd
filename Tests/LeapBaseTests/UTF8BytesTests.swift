import LeapBase
import LeapTestSupport
import Testing

struct UTF8BytesTests {
    /// Bytes in which characters of every length, cut ones and ones that no encoder writes are frequent.
    private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...12, using: &generator)).flatMap { _ -> [UInt8] in
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: [.random(in: 0...0x7F, using: &generator)]
            case 1: [.random(in: 0x80...0xFF, using: &generator)]
            case 2: Array("é漢😀\u{10FFFF}".utf8)
            case 3: Array(Array("漢😀".utf8).prefix(Int.random(in: 1...6, using: &generator)))
            default: [0xED, 0xA0, 0xC0, 0xF4, 0x90].shuffled(using: &generator)
            }
        }
    }

    @Test("Bytes are UTF-8 exactly when the standard library says so")
    func validity() {
        for seed in TestLevel.seeds(375, all: 3000) {
            var generator = SeededGenerator(seed: seed)
            let bytes = Self.bytes(&generator)
            let invalid = bytes.withUnsafeBufferPointer { UTF8Bytes.firstInvalid($0) }
            let isValid = bytes.withUnsafeBufferPointer { UTF8Bytes.isValid($0) }
            #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "seed \(seed): \(bytes)")
            #expect(isValid == (invalid == nil))
            if let invalid {
                #expect(String(validating: bytes[..<invalid], as: UTF8.self) != nil, "seed \(seed): \(bytes)")
            }
            let repaired = bytes.withUnsafeBufferPointer { UTF8Bytes.repaired($0) }
            #expect(String(validating: repaired, as: UTF8.self) != nil, "seed \(seed): \(bytes)")
            #expect(!isValid || repaired == bytes)
        }
    }

    @Test("Every byte that belongs to no character is replaced by itself")
    func repair() {
        func repaired(_ bytes: [UInt8]) -> String {
            String(decoding: bytes.withUnsafeBufferPointer { UTF8Bytes.repaired($0) }, as: UTF8.self)
        }
        #expect(repaired([0x61, 0xE6, 0x88, 0x62]) == "a\u{FFFD}\u{FFFD}b")
        #expect(repaired([0xC0, 0x80]) == "\u{FFFD}\u{FFFD}")
        #expect(repaired([0xED, 0xA0, 0x80]) == "\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(repaired([0xF4, 0x90, 0x80, 0x80, 0xC3, 0xA9]) == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}é")
    }

    @Test("A cut character counts as incomplete in every place, and nothing else does")
    func tails() {
        let text = Array("a é漢😀".utf8)
        for end in 0...text.count {
            let cut = Array(text[..<end])
            let isCut = String(validating: cut, as: UTF8.self) == nil
            let tail = UTF8Bytes.incompleteTail(cut)
            #expect(isCut == (tail > 0), "\(cut)")
            #expect(String(validating: cut.dropLast(tail), as: UTF8.self) != nil, "\(cut)")
            #expect(UTF8Bytes.incompleteTail(([0x80] + cut)[1...]) == tail, "\(cut)")
        }
        for bytes: [UInt8] in [
            [0x80], [0xC0], [0xFF], [0xE0, 0x80], [0xED, 0xA0], [0xF4, 0x90], [0x80, 0x80, 0x80],
        ] {
            #expect(UTF8Bytes.incompleteTail(bytes) == 0, "\(bytes)")
        }
    }

    @Test("Code points are written as the standard library writes them")
    func writing() {
        for code in [0, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32] {
            var bytes: [UInt8] = []
            UTF8Bytes.append(code, to: &bytes)
            #expect(Unicode.Scalar(code).map { Array(String($0).utf8) } == bytes)
        }
    }

    @Test("Hexadecimal digits are read in both cases and written in lower case")
    func hexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            let expected = byte < 0x80 ? character.hexDigitValue.map { UInt32($0) } : nil
            #expect(HexDigit.value(byte) == expected)
        }
        #expect(String(decoding: (0..<16).map { HexDigit.ascii($0) }, as: UTF8.self) == "0123456789abcdef")
    }

    @Test("Text for messages has no control characters and a bounded length")
    func shownText() {
        #expect(ShownText.of("a\u{1B}[2J\u{202E}b\n") == "a\\u{1b}[2J\\u{202e}b\\u{a}")
        #expect(ShownText.of(String(repeating: "x", count: 1000), limit: 5) == "xxxxx…")
        #expect(([0x61, 0xFF, 0x62] as [UInt8]).withUnsafeBytes { ShownText.of($0) } == "a\u{FFFD}b")
    }

    @Test("A stable hash is the same in every process")
    func stableHash() {
        var hash = StableHash(seed: 1)
        hash.combine("Open Leap")
        hash.combine(42 as UInt64)
        #expect(hash.text == "8a1e93d4f54455036678cda3c4b37c3e")
        #expect(StableHash(text: hash.text) == hash)
        #expect(StableHash(text: "12") == nil)
    }
}
