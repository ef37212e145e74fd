import Foundation
import LeapBase
import LeapVision
import Testing

@testable import LeapCommandLine

/// Pictures in `leap chat` and `leap run`, by the program.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct ChatImageTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let model = tests.appendingPathComponent("Fixtures/vision/vision.gguf").path
    static let picture = tests.appendingPathComponent("LeapVisionTests/Fixtures/17x9-RGB.png").path
    private static let other = tests.appendingPathComponent("LeapVisionTests/Fixtures/2x3-1.png").path

    @Test("A picture is shown where the terminal can, and goes with the next message")
    func preview() throws {
        let image = try RGBImage(file: [UInt8](Data(contentsOf: URL(fileURLWithPath: Self.picture))))
        for (environment, expected) in [
            (["TERM": "xterm-kitty"], PreviewProtocol.kitty),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iTerm), (["TERM": "foot"], .sixel),
        ] {
            let shown = try TerminalSession.run(
                ["chat", Self.model, "--max-tokens", "2"],
                ["/image \(Self.picture)", "/image", "What?", "/stats", "/quit"],
                environment: environment)
            #expect(shown.contains(ImagePreview.text(of: image, for: expected)), "\(expected)")
            #expect(shown.contains("17 × 9"))
            // 64 tokens are the picture's.
            let tokens = shown.firstMatch(of: /last answer: (\d+) prompt tokens/).flatMap { Int($0.output.1) }
            #expect(tokens ?? 0 > 64)
        }
    }

    @Test("No preview is written to other terminals, to a pipe, or with --no-preview; name and size are told")
    func noPreview() throws {
        for (arguments, environment) in [
            ([], ["TERM": "dumb"]), ([], ["TERM": "xterm-256color"]), (["--no-preview"], ["TERM": "xterm-kitty"]),
        ] {
            let shown = try TerminalSession.run(
                ["chat", Self.model] + arguments, ["/image \(Self.picture)", "/quit"], environment: environment)
            #expect(shown.contains("17 × 9") && !shown.contains("\u{1B}_G") && !shown.contains("\u{1B}P"))
        }
        let outcome = try LeapProgram.run(
            ["chat", Self.model], input: Data("/image \(Self.picture)\n".utf8), environment: ["TERM": "xterm-kitty"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("17 × 9") && !(outcome.errors + outcome.output).contains("\u{1B}"))
    }

    @Test("Several pictures may be attached, listed and cleared; they go with one message and no other")
    func several() throws {
        let outcome = try LeapProgram.run(
            "chat", Self.model, "--max-tokens", "2",
            input: """
                /image
                /image \(Self.picture)
                /image '\(Self.other)'
                /image
                What?
                /stats
                /image
                /image \(Self.picture)
                /image clear
                And?
                /stats

                """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "(no picture is attached)").count == 4)
        #expect(outcome.errors.contains("2 pictures go"))
        let tokens = outcome.errors.matches(of: /last answer: (\d+) prompt tokens/).compactMap { Int($0.output.1) }
        #expect(tokens.count == 2 && tokens[0] > 128 && tokens[1] < 64, "\(tokens)")
    }

    @Test("What is no picture is refused by name, and the chat goes on; so is a picture for a model that reads none")
    func refused() throws {
        let folder = try TemporaryFolder()
        var damaged = try Data(contentsOf: URL(fileURLWithPath: Self.picture))
        damaged[45] ^= 1
        let files = try [
            folder.file("a.gif", Data("GIF89a and more than that".utf8)), folder.file("empty.png", Data()),
            folder.file("damaged.png", damaged), folder.path("missing.png"), folder.url.path,
        ]
        let outcome = try LeapProgram.run(
            "chat", Self.model, "--max-tokens", "2",
            input: files.map { "/image \($0)\n" }.joined() + "/image\nWhat?\n/stats\n")
        #expect(outcome.status == 0)
        for file in files { #expect(outcome.errors.contains("error: /image \(file)"), "\(file)") }
        #expect(
            outcome.errors.contains("(no picture is attached)") && outcome.errors.contains("prompt tokens computed"))
        let demo = try LeapProgram.run("chat", "demo", input: "/image \(Self.picture)\n")
        #expect(demo.errors.contains("error:") && demo.errors.contains("mmproj"))
    }

    @Test("Pictures of a message that is refused stay attached")
    func kept() throws {
        let outcome = try LeapProgram.run(
            "chat", Self.model, "--context", "60", "--max-tokens", "2",
            input: "/image \(Self.picture)\nWhat?\n/image\n/image clear\n/quit\n")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("stay attached"))
        #expect(outcome.errors.components(separatedBy: "17 × 9").count == 3)
    }

    @Test("The options of pictures change how many tokens one has, in run and in chat")
    func sizes() throws {
        let folder = try TemporaryFolder()
        let large = folder.path("large.bmp")
        // 1100 by 500 pixels of one grey, with a table of two colours.
        func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
        var file = Array("BM".utf8)
        for (value, size) in [
            (62 + 140 * 500, 4), (0, 4), (62, 4), (40, 4), (1100, 4), (500, 4), (1, 2), (1, 2), (0, 24),
        ] { file += little(value, size) }
        file += [90, 90, 90, 0, 0, 0, 0, 0] as [UInt8]
        file += [UInt8](repeating: 0, count: 140 * 500)
        try Data(file).write(to: URL(fileURLWithPath: large))
        func tokens(_ picture: String, _ options: String...) throws -> Int {
            let outcome = try LeapProgram.run(
                ["run", Self.model, "--image", picture, "--prompt", "What?", "--max-tokens", "1", "--json"] + options)
            let line = outcome.output.firstMatch(of: /"prompt_tokens":(\d+)/)
            return try #require(line.flatMap { Int($0.output.1) }, "\(outcome.errors)")
        }
        let small = try tokens(Self.picture)
        #expect(try tokens(Self.picture, "--min-image-tokens", "16") == small - 48)
        let whole = try tokens(large, "--no-image-splitting")
        #expect(try tokens(large) > whole + 256)
        #expect(try tokens(large, "--no-image-splitting", "--max-image-tokens", "64") < whole)
        let chat = try LeapProgram.run(
            "chat", Self.model, "--max-tokens", "1", "--min-image-tokens", "16",
            input: "/image \(Self.picture)\nWhat?\n/stats\n/quit\n")
        let counted = chat.errors.firstMatch(of: /last answer: (\d+) prompt tokens/).flatMap { Int($0.output.1) }
        #expect(counted == small - 48, "\(chat.errors)")
        for (arguments, words) in [
            (["--min-image-tokens", "0"], "--min-image-tokens is 0"),
            (["--min-image-tokens", "9", "--max-image-tokens", "8"], "the first may not be more than the second"),
            (["--min-image-tokens", "512"], "--min-image-tokens is 512 and --max-image-tokens 256"),
        ] {
            let outcome = try LeapProgram.run(
                ["run", Self.model, "--image", Self.picture, "--prompt", "?"] + arguments)
            #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome.errors)")
        }
        let none = try LeapProgram.run("run", Self.model, "--no-image-splitting", "--prompt", "?")
        #expect(none.status == 64 && none.errors.contains("no effect without --image"), "\(none.errors)")
    }

    @Test("The damaged one of several pictures is named, and what is no picture is named for what it is")
    func named() throws {
        let folder = try TemporaryFolder()
        var damaged = try Data(contentsOf: URL(fileURLWithPath: Self.picture))
        damaged[45] ^= 1
        let bad = try folder.file("bad.png", damaged)
        let outcome = try LeapProgram.run(
            "run", Self.model, "--image", Self.picture, "--image", bad, "--image", Self.other, "--prompt", "What?")
        #expect(outcome.status == 1 && outcome.errors.contains("--image \(bad): the checksum"), "\(outcome.errors)")
        for (start, words) in [
            ("\0\0\0\u{20}ftypisom\0\0\u{2}\0isomiso2", "a video (MP4)"), ("%PDF-1.7\n", "a PDF document"),
            ("\0\0\0\u{1C}ftypavif\0\0\0\0avifmif1", "AVIF"),
        ] {
            let file = try folder.file("file", Data(start.utf8))
            let outcome = try LeapProgram.run("run", Self.model, "--image", file, "--prompt", "What?")
            #expect(outcome.status == 1 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test("run --image reads files, and standard input for -")
    func run() throws {
        let file = try LeapProgram.run(
            "run", Self.model, "--image", Self.picture, "--prompt", "What?", "--max-tokens", "4", "--temperature", "0",
            "--json")
        let piped = try LeapProgram.run(
            [
                "run", Self.model, "--image", "-", "--prompt", "What?", "--max-tokens", "4", "--temperature", "0",
                "--json",
            ],
            input: try Data(contentsOf: URL(fileURLWithPath: Self.picture)))
        #expect(file.status == 0 && piped.status == 0, "\(file.errors) \(piped.errors)")
        func text(_ outcome: LeapProgram.Outcome) -> String? {
            outcome.output.firstMatch(of: /"text":"[^"]*"/).map { String($0.output) }
        }
        #expect(text(file) != nil && text(file) == text(piped))
        let empty = try LeapProgram.run(["run", Self.model, "--image", "-", "--prompt", "What?"])
        #expect(empty.status != 0 && empty.errors.contains("--image -"))
        let closed = try LeapProgram.run(
            "run", Self.model, "--image", "https://127.0.0.1:1/a.png", "--prompt", "What?")
        #expect(closed.status != 0 && closed.errors.contains("public internet"))
    }
}
