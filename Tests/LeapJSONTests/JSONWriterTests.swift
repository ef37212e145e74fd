import LeapJSON
import Testing

struct JSONWriterTests {
    private static let text = #"{"b":[1,2.5,"ü\n\u0001"],"a":{},"n":null,"t":true,"e":1E2}"#

    @Test("Writes what it reads, compact and in Python's style")
    func styles() throws {
        let value = try JSONParser.parse(Self.text)
        #expect(JSONWriter.string(value) == Self.text)
        #expect(
            JSONWriter.string(value, style: .python)
                == #"{"b": [1, 2.5, "ü\n\u0001"], "a": {}, "n": null, "t": true, "e": 100.0}"#)
        #expect(
            JSONWriter.string(value, style: .sorted) == #"{"a":{},"b":[1,2.5,"ü\n\u0001"],"e":1E2,"n":null,"t":true}"#)
    }

    @Test("Writes files with a line for every element")
    func file() throws {
        let value = try JSONParser.parse(#"{"b":[1,[]],"a":{"x":"y"}}"#)
        let expected = """
            {
              "a": {
                "x": "y"
              },
              "b": [
                1,
                []
              ]
            }
            """
        #expect(JSONWriter.string(value, style: .file) == expected)
    }

    @Test(
        "Numbers in Python's spelling are those of json.dumps",
        arguments: [
            ("1", "1"), ("-0", "0"), ("1.0", "1.0"), ("1e2", "100.0"), ("1e16", "1e+16"),
            ("1e15", "1000000000000000.0"),
            ("0.0001", "0.0001"), ("0.00001", "1e-05"), ("-2.5E-7", "-2.5e-07"),
            ("123456789012345678901", "123456789012345678901"),
        ])
    func pythonNumbers(text: String, expected: String) throws {
        #expect(JSONWriter.string(try JSONParser.parse(text), style: .python) == expected)
    }

    @Test("Characters are escaped where JSON demands it, and all beyond ASCII where asked for")
    func escapes() {
        func escaped(_ text: String, escapesNonASCII: Bool) -> String {
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                JSONEscape.append(scalar, to: &bytes, escapesNonASCII: escapesNonASCII)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(escaped("a\"\\/\u{8}\u{C}\n\r\t\u{1F}é😀", escapesNonASCII: false) == #"a\"\\/\b\f\n\r\t\u001fé😀"#)
        #expect(escaped("é😀\u{7F}", escapesNonASCII: true) == #"\u00e9\ud83d\ude00\u007f"#, "as Python's json.dumps")
        #expect(escaped("\u{7F}", escapesNonASCII: false) == "\u{7F}")
        for byte in 0...255 as ClosedRange<UInt8> {
            for escapesNonASCII in [false, true] where byte < 0x80 {
                var bytes: [UInt8] = []
                JSONEscape.append(UInt32(byte), to: &bytes, escapesNonASCII: escapesNonASCII)
                #expect(JSONEscape.isPlain(byte, escapesNonASCII: escapesNonASCII) == (bytes == [byte]), "\(byte)")
            }
            #expect(byte < 0x80 || !JSONEscape.isPlain(byte, escapesNonASCII: true))
        }
        #expect(JSONWriter.quoted("a\"b") == #""a\"b""#)
    }
}
