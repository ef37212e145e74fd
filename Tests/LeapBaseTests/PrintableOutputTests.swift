import LeapBase
import Testing

/// Text on its way to a terminal or a log.
struct PrintableOutputTests {
    @Test(
        "Control characters and those that turn text around are escaped; all others stay",
        arguments: [
            ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
            ("\u{1B}[1mbold\u{1B}[0m", #"\u{1b}[1mbold\u{1b}[0m"#),
            ("\u{1B}]0;title\u{7}", #"\u{1b}]0;title\u{7}"#), ("\u{9B}2J\u{90}q", #"\u{9b}2J\u{90}q"#),
            ("a\u{0}b\u{7F}c\u{8}", #"a\u{0}b\u{7f}c\u{8}"#),
            ("\u{202E}abc\u{202C}\u{2066}d\u{2069}\u{61C}", #"\u{202e}abc\u{202c}\u{2066}d\u{2069}\u{61c}"#),
            ("one\r\ntwo\rthree", "one\ntwo\\u{d}three"), ("\u{2028}", #"\u{2028}"#), ("", ""),
            ("é😀 👨‍👩‍👧 שלום עליכם नमस्ते \u{A0}…", "é😀 👨‍👩‍👧 שלום עליכם नमस्ते \u{A0}…"),
        ])
    func escapes(text: String, shown: String) {
        #expect(PrintableOutput.of(text) == shown)
        #expect(PrintableOutput.of(shown) == shown)
    }
}
