import Testing

@testable import LeapCommandLine

/// Bytes of terminals as keys.
struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(Array(text.utf8))
    }

    @Test("Text comes as it was typed, in one piece where it arrived so")
    func text() {
        #expect(keys("ab c") == [.text("ab c")])
        #expect(keys("aé你👍") == [.text("a"), .text("é"), .text("你"), .text("👍")])
    }

    @Test("Control characters and control sequences of xterm, VT220 and the Linux console are keys")
    func sequences() {
        #expect(keys("\u{1}\u{5}\u{B}\u{12}") == [.lineStart, .lineEnd, .deleteToEnd, .search])
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
        #expect(
            keys("\u{1B}[1~\u{1B}[4~\u{1B}[3~\u{1B}[H\u{1B}OF") == [
                .lineStart, .lineEnd, .deleteForward, .lineStart, .lineEnd,
            ])
        #expect(keys("\u{1B}[1;5C\u{1B}[1;3D\u{1B}b\u{1B}f") == [.wordRight, .wordLeft, .wordLeft, .wordRight])
        #expect(keys("\r\n\u{1B}\r\u{1B}[13;2u") == [.enter, .enter, .newLine, .newLine])
    }

    @Test("A sequence that is not known is dropped as a whole")
    func unknown() {
        #expect(keys("a\u{1B}[25~\u{1B}OP\u{1B}[1;2S\u{1B}[[Ab") == [.text("a"), .text("b")])
        #expect(
            keys("\u{1B}[" + String(repeating: "1", count: 100) + "x").allSatisfy {
                if case .text = $0 { true } else { false }
            })
    }

    @Test("A paste is one key, with line feeds as line ends, whatever it holds")
    func paste() {
        #expect(keys("\u{1B}[200~a\rb\r\nc\u{3}\u{1B}[A\u{1B}[201~d") == [.paste("a\nb\nc\u{3}\u{1B}[A"), .text("d")])
    }

    @Test("The keys are the same however the bytes are divided")
    func divided() {
        let bytes = Array("aé👍\u{1B}[1;5C\u{1B}[200~x\r\ny\u{1B}[201~\u{1B}Ob\u{3}z".utf8)
        func merged(_ keys: [Key]) -> [Key] {
            keys.reduce(into: []) { result, key in
                if case .text(let more) = key, case .text(let text) = result.last {
                    result[result.count - 1] = .text(text + more)
                } else {
                    result.append(key)
                }
            }
        }
        var whole = KeyDecoder()
        let expected = merged(whole.decode(bytes))
        for first in 0..<bytes.count {
            for second in first..<bytes.count {
                var decoder = KeyDecoder()
                let parts = [bytes[..<first], bytes[first..<second], bytes[second...]].flatMap { decoder.decode($0) }
                #expect(merged(parts) == expected)
            }
        }
    }

    @Test("The escape key alone is known when nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isUndecided)
        #expect(decoder.decide() == [.cancel])
        #expect(!decoder.isUndecided)
    }

    @Test("Bytes that are no UTF-8 become replacement characters, and that is told")
    func invalid() {
        var decoder = KeyDecoder()
        let keys = decoder.decode([0x61, 0xFF, 0xC3, 0x62, 0xE4, 0xBD, 0x0D])
        #expect(keys == [.text("a"), .text("\u{FFFD}"), .text("\u{FFFD}"), .text("b"), .text("\u{FFFD}"), .enter])
        #expect(decoder.takeFaults() == (true, false))
        #expect(decoder.takeFaults() == (false, false))
    }

    @Test("Any bytes are survived, and a paste that never ends takes no more memory than its limit")
    func anything() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var decoder = KeyDecoder()
            let bytes = (0..<60).map { _ -> UInt8 in
                let interesting: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x3B, 0x32, 0x30, 0xC3, 0xF0, 0x0D]
                return Bool.random(using: &generator)
                    ? interesting[Int.random(in: 0..<10, using: &generator)]
                    : UInt8.random(in: 0...255, using: &generator)
            }
            _ = decoder.decode(bytes)
            _ = decoder.decide()
            #expect(!decoder.isUndecided)
        }
        var decoder = KeyDecoder(maxPasteBytes: 5000)
        _ = decoder.decode(Array("\u{1B}[200~".utf8))
        _ = decoder.decode([UInt8](repeating: 0x61, count: 6000))
        let keys = decoder.decode(Array("\u{1B}[201~b".utf8))
        #expect(decoder.takeFaults() == (false, true))
        #expect(keys.last == .text("b"))
        guard case .paste(let text) = keys.first else {
            Issue.record("\(keys.count) keys and no paste")
            return
        }
        #expect(text.utf8.count == 5000)
    }
}
