import Foundation
import LeapBase
import LeapChat
import LeapMCP

/// Extracts frames from a video file with the program ffmpeg, if the system has it.
///
/// The program gets words, and never a shell. It writes JPEG files into a folder of its own, of a bounded number and
/// size, and has a limited time.
enum FrameExtractor {
    private static let program = "ffmpeg"
    /// Seconds that the program has.
    private static let maxSeconds = 600.0
    /// Pixels of a frame's longer side.
    private static let longestSide = 1024
    /// Microseconds between two looks at the program.
    private static let pause: UInt32 = 10_000

    /// Returns the frames of a file.
    ///
    /// - Throws: ``LeapSerializationException`` that says what is missing, or what the program told.
    static func frames(of path: String, framesPerSecond: Double) throws -> VideoFrames {
        let folder = "\(NSTemporaryDirectory())leap-video-\(UUID().uuidString)"
        try FileSystem.makeFolder(folder, permissions: 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pictures = "\(folder)/frames"
        try FileSystem.makeFolder(pictures, permissions: 0o700)
        try run(words(path, framesPerSecond, pictures), notes: "\(folder)/notes")
        let names = FileSystem.names(in: pictures)
        guard !names.isEmpty else {
            throw LeapSerializationException("\(program) found no frames in the file: check that it is a video")
        }
        guard names.count <= VideoFrames.maxCount else {
            throw LeapSerializationException(
                "the video has more than \(VideoFrames.maxCount) frames at \(framesPerSecond) a second: pass a lower --video-fps, or a part of the video"
            )
        }
        return try VideoFrames(
            pictures: try VideoArgument.pictures(in: pictures), framesPerSecond: framesPerSecond)
    }

    /// The program's name and arguments; one frame more than allowed shows that there are too many.
    static func words(_ path: String, _ framesPerSecond: Double, _ folder: String) -> [String] {
        // A path that begins with a dash, or looks like an address, stays a path.
        let file = path.hasPrefix("/") ? path : "./\(path)"
        let side = longestSide
        return [
            program, "-nostdin", "-v", "error", "-i", "file:\(file)", "-an", "-sn", "-vf",
            "fps=\(framesPerSecond),scale='min(\(side),iw)':'min(\(side),ih)':force_original_aspect_ratio=decrease",
            "-q:v", "4", "-frames:v", "\(VideoFrames.maxCount + 1)", "-f", "image2", "\(folder)/%06d.jpg",
        ]
    }

    /// Runs the program to its end.
    ///
    /// - Parameter notes: a path for what it tells.
    private static func run(_ words: [String], notes: String) throws {
        let started = ProgramStart.start(
            words,
            streams: [
                .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
                .file(notes, flags: O_WRONLY | O_CREAT | O_TRUNC),
            ], defaultSignals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE])
        guard case .success(let process) = started else {
            throw LeapSerializationException(
                "the program \(program), which reads video files, cannot be started: install it, or pass a folder with a picture for each frame"
            )
        }
        var status: Int32 = 0
        let end = Date(timeIntervalSinceNow: maxSeconds)
        while true {
            let found = waitpid(process, &status, WNOHANG)
            if found == process { break }
            guard found == 0 || errno == EINTR else {
                throw LeapSerializationException("\(program) was lost: try again")
            }
            guard Date() < end else {
                kill(process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                throw LeapSerializationException(
                    "\(program) took longer than \(Int(maxSeconds)) seconds: pass a part of the video")
            }
            usleep(pause)
        }
        guard status == 0 else {
            let told = (try? FileSystem.read(notes, limit: 1 << 20)) ?? nil
            let text = String(decoding: told ?? [], as: UTF8.self)
            let line = text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "it told nothing"
            throw LeapSerializationException(
                "\(program) cannot read the file: \(ShownText.of(line, limit: 300))")
        }
    }
}
