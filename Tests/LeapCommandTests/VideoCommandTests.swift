import Foundation
import LeapChat
import LeapVision
import Testing

@testable import LeapCommandLine

/// Videos in `leap run` and `leap chat`, by the program.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct VideoCommandTests {
    private static let model = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/lfm3vl/lfm3vl.gguf").path

    private static func picture(_ seed: Int, width: Int = 64) -> Data {
        Data(PNGWriter.bytes(width: width, height: 64) { x, y in [UInt8(x * seed % 256), UInt8(y), UInt8(seed)] })
    }

    /// A folder with four pictures, of which the last one by its name is not the last one by its letters.
    private static func frames() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for number in [1, 2, 9, 10] { _ = try folder.file("frame\(number).png", picture(number)) }
        _ = try folder.file(".hidden", Data("no picture".utf8))
        return folder
    }

    private static func run(
        _ arguments: [String], path: String? = nil
    ) throws -> (outcome: LeapProgram.Outcome, tokens: Int?) {
        let environment = path.map { ["PATH": $0] } ?? [:]
        let outcome = try LeapProgram.run(
            ["run", model, "What?", "--max-tokens", "2", "--temperature", "0", "--verbose"] + arguments,
            environment: environment)
        let tokens = outcome.errors.firstMatch(of: /(\d+) prompt tokens/).flatMap { Int($0.output.1) }
        return (outcome, tokens)
    }

    @Test("A folder's pictures are frames in the order of their names, two a second or as --video-fps says")
    func folder() throws {
        let folder = try Self.frames()
        let plain = try #require(try Self.run([]).tokens)
        let (outcome, tokens) = try Self.run(["--video", folder.url.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Two pairs: a time of 13 bytes, two markers and 4 tokens each.
        #expect(tokens == plain + 2 * (13 + 2 + 4))
        // A frame every 100 seconds: 50.0 and 250.0.
        #expect(try Self.run(["--video", folder.url.path, "--video-fps", "0.01"]).tokens == plain + 38 + 3)
        let pictures = try VideoArgument.pictures(in: folder.url.path)
        #expect(pictures == [1, 2, 9, 10].map { Self.picture($0) })
    }

    @Test("What is no video is refused by name, and an option without a video too")
    func refused() throws {
        let folder = try Self.frames()
        let empty = try TemporaryFolder()
        let other = try TemporaryFolder()
        _ = try other.file("notes.txt", Data("no picture".utf8))
        let sizes = try TemporaryFolder()
        for width in [64, 96] { _ = try sizes.file("\(width).png", Self.picture(3, width: width)) }
        for (arguments, words) in [
            (["--video", empty.url.path], "has no files"), (["--video", other.url.path], "notes.txt"),
            (["--video", "/nowhere/at/all"], "no folder or file"),
            (["--video", sizes.url.path], "frame 1 of the video: it has 96 by 64 pixels"),
            (["--video-fps", "2"], "no effect without --video"),
            (["--video", folder.url.path, "--video-fps", "0"], "more than 0"),
            (["--video", folder.url.path, "--raw"], "--video"),
        ] {
            let outcome = try Self.run(arguments).outcome
            #expect(outcome.status != 0 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
    }

    /// A folder with a program of the name ffmpeg.
    private static func program(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let path = try folder.file("ffmpeg", Data("#!/bin/sh\n\(script)\n".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return folder
    }

    @Test("The program ffmpeg of PATH reads a file; what it tells of one that it cannot read is shown")
    func standIn() throws {
        let pictures = try Self.frames()
        let video = try TemporaryFolder()
        let file = try video.file("a; exit 3 'b.mp4", Data("a film".utf8))
        // Its last argument is the pattern of the pictures; all others are told.
        let told = video.path("told")
        let writing = try Self.program(
            """
            for word; do last=$word; printf '%s\\n' "$word" >> '\(told)'; done
            /bin/cp '\(pictures.url.path)/frame1.png' "${last%/*}/000001.jpg"
            /bin/cp '\(pictures.url.path)/frame2.png' "${last%/*}/000002.jpg"
            """)
        let plain = try #require(try Self.run([]).tokens)
        let (outcome, tokens) = try Self.run(
            ["--video", file, "--video-fps", "4"], path: "\(writing.url.path):/usr/bin:/bin")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(tokens == plain + 13 + 2 + 4)
        let words = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(words.contains("file:\(file)") && words.contains { $0.hasPrefix("fps=4.0,") })
        // Nothing is left behind.
        let pattern = try #require(words.last)
        #expect(!FileManager.default.fileExists(atPath: (pattern as NSString).deletingLastPathComponent))
        let failing = try Self.program("echo 'first' >&2; echo 'moov atom not found' >&2; exit 1")
        let failed = try Self.run(["--video", file], path: "\(failing.url.path):/usr/bin:/bin").outcome
        #expect(failed.status != 0 && failed.errors.contains("cannot read the file: moov atom not found"))
        let idle = try Self.program("exit 0")
        let silent = try Self.run(["--video", file], path: "\(idle.url.path):/usr/bin").outcome
        #expect(silent.status != 0 && silent.errors.contains("found no frames"))
    }

    @Test("Without ffmpeg the error says what to do")
    func missing() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.mp4", Data("a film".utf8))
        let outcome = try Self.run(["--video", file], path: folder.url.path).outcome
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("--video \(file): the program ffmpeg") && outcome.errors.contains("install it"))
    }

    /// True if the system has ffmpeg.
    private static let hasProgram = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg")
    }

    @Test("ffmpeg itself extracts frames", .enabled(if: hasProgram, "ffmpeg is not installed"))
    func program() throws {
        let folder = try TemporaryFolder()
        let pictures = try TemporaryFolder()
        for number in 1...4 { _ = try pictures.file("\(number).png", Self.picture(number)) }
        let film = folder.path("-film.avi")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-framerate", "2", "-i", "\(pictures.url.path)/%d.png", "-c:v", "mjpeg", film,
        ]
        try process.run()
        process.waitUntilExit()
        let frames = try FrameExtractor.frames(of: film, framesPerSecond: 2).frames
        #expect(frames.map(\.time) == [0, 0.5, 1, 1.5])
        #expect(try RGBImage(file: [UInt8](frames[0].data)).width == 64)
    }

    @Test("/video attaches a folder to the next message of a chat, lists and clears it")
    func chat() throws {
        let folder = try Self.frames()
        let outcome = try LeapProgram.run(
            "chat", Self.model, "--max-tokens", "2",
            input: """
                /video
                /video \(folder.url.path)
                /video
                What?
                /stats
                /video \(folder.url.path)
                /video clear
                And?
                /stats

                """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("(no video is attached)"))
        #expect(outcome.errors.contains("(4 frames, 1.5 s)") && outcome.errors.contains("1 video goes"))
        let tokens = outcome.errors.matches(of: /last answer: (\d+) prompt tokens/).compactMap { Int($0.output.1) }
        #expect(tokens.count == 2 && tokens[0] > 60, "\(tokens)")
        let refused = try LeapProgram.run("chat", "demo", input: "/video \(folder.url.path)\n")
        #expect(refused.errors.contains("error: /video:") && refused.errors.contains("mmproj"))
    }
}
