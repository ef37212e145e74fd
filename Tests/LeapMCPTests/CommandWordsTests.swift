import Foundation
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapMCP

/// Commands and addresses as `--mcp` takes them, and lines.
@Suite(.inServerTurns)
struct CommandWordsTests {
    @Test(
        "Words are split as a shell splits them",
        arguments: [
            ("python3 server.py", ["python3", "server.py"]), ("  a\t b\n", ["a", "b"]), ("", []),
            (#"a 'b c' "d e""#, ["a", "b c", "d e"]), (#"a'b'"c"d"#, ["abcd"]), (#"'' """#, ["", ""]),
            (#"a\ b \'c \"d"#, ["a b", "'c", "\"d"]),
            (#"'a\b' "a\b" "a\"b" "a\\b" "a\$b""#, [#"a\b"#, #"a\b"#, "a\"b", #"a\b"#, "a$b"]),
            (#"a "b'c" 'd"e'"#, ["a", "b'c", "d\"e"]),
            ("$HOME ~ * | ; > `x` $(y)", ["$HOME", "~", "*", "|", ";", ">", "`x`", "$(y)"]),
            ("ä 'ö ü' e\u{301}", ["ä", "ö ü", "e\u{301}"]), ("a\\\nb", ["ab"]),
        ] as [(String, [String])])
    func words(text: String, words: [String]) throws { #expect(try CommandWords.split(text) == words) }

    @Test(
        "What a shell would wait for, and what no argument can have, is refused",
        arguments: ["a 'b", "a \"b", "a\\", "\"a\\\"", "a\0b", "'a\0b'"])
    func refused(text: String) { #expect(throws: CommandWords.Failure.self) { try CommandWords.split(text) } }

    @Test("The words are those that a shell makes")
    func shell() throws {
        for text in [#"a 'b c' "d\"e" f\ g"#, #"x"y z"'w' '\' "\q\\""#, #"'' "" a"#] {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "for word in \(text); do printf '%s\\n' \"$word\"; done"]
            process.standardOutput = output
            try process.run()
            let shown = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(try CommandWords.split(text).map { $0 + "\n" }.joined() == shown)
        }
    }

    @Test("An address of HTTP is one, everything else a command")
    func addresses() throws {
        #expect(
            try MCPAddress("https://a.example/mcp?k=1") == .http(try #require(URL(string: "https://a.example/mcp?k=1")))
        )
        #expect(try MCPAddress("https://user:secret@a.example/mcp?k=1").shown == "https://a.example/mcp")
        #expect(try MCPAddress("uvx 'a server'") == .program(["uvx", "a server"]))
        for text in ["", "  ", "''", "http://", "a '"] {
            let error = #expect(throws: MCPError.self) { try MCPAddress(text) }
            #expect(error?.code == .invalidAddress, "\(text)")
        }
    }

    @Test("Lines are the same however their bytes arrive; one that is too long is told once, and passed over")
    func lines() {
        let text = Array("ab\n\nabcdef\nabcd\nabcdefghij\nc".utf8)
        let expected: [LineSplitter.Element] = [
            .line(Array("ab".utf8)), .line([]), .tooLong, .line(Array("abcd".utf8)), .tooLong,
        ]
        for size in 1...text.count {
            var splitter = LineSplitter(maxBytes: 4)
            var elements: [LineSplitter.Element] = []
            for start in stride(from: 0, to: text.count, by: size) {
                elements += splitter.append(text[start..<min(start + size, text.count)])
            }
            #expect(elements == expected, "\(size)")
            #expect(splitter.finish() == Array("c".utf8))
        }
    }

    @Test("A line without end is told before it ends, and takes no memory")
    func endlessLine() {
        var splitter = LineSplitter(maxBytes: 1000)
        let piece = [UInt8](repeating: 0x78, count: 600)
        #expect(splitter.append(piece[...]).isEmpty)
        #expect(splitter.append(piece[...]) == [.tooLong])
        for _ in 0..<1000 { #expect(splitter.append(piece[...]).isEmpty) }
        #expect(splitter.finish() == nil)
    }
}
