import Foundation
import LeapBase
import LeapMCP

/// A program that goes on when this one ends.
enum BackgroundProcess {
    /// Starts a program in a session of its own, with its output in a file.
    ///
    /// - Parameters:
    ///   - input: the descriptor that becomes its standard input; nil for an empty one.
    ///   - environment: its variables; nil for those of this process.
    /// - Returns: its process identifier.
    static func start(
        _ program: String, _ arguments: [String], log: String, input: Int32? = nil, environment: [String: String]? = nil
    ) throws -> pid_t {
        let started = ProgramStart.start(
            [program] + arguments,
            streams: [
                input.map { ProgramStart.Stream.copy(of: $0) } ?? .file("/dev/null", flags: O_RDONLY),
                .file(log, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW),
                .copy(of: 1),
            ],
            // What this process ignores or holds back it would not hear.
            defaultSignals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT], environment: environment)
        switch started {
        case .success(let process): return process
        case .failure(let error): throw CommandError("\(program) cannot be run: \(error.reason)")
        }
    }

    /// Returns the last line of a program's log, for an error; where there is none, its place.
    static func lastLine(of log: String) -> String {
        let bytes = ((try? FileSystem.read(log, limit: 1 << 20)) ?? nil) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last.map { ShownText.of(String($0), limit: 400) } ?? "its log is \(log)"
    }

    /// Returns whether a process runs; one of ours that has ended is not counted.
    static func isRunning(_ process: pid_t) -> Bool {
        var status: Int32 = 0
        if waitpid(process, &status, WNOHANG) == process { return false }
        return kill(process, 0) == 0
    }
}
