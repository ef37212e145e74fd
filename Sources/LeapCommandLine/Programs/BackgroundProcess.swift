import Foundation
import LeapBase
import LeapMCP

/// A program that goes on when this one ends.
enum BackgroundProcess {
    /// Starts a program in a session of its own, with its output in a file.
    ///
    /// - Returns: its process identifier.
    static func start(_ program: String, _ arguments: [String], log: String) throws -> pid_t {
        let started = ProgramStart.start(
            [program] + arguments,
            streams: [
                .file("/dev/null", flags: O_RDONLY), .file(log, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW),
                .copy(of: 1),
            ])
        switch started {
        case .success(let process): return process
        case .failure(let error): throw CommandError("\(program) cannot be run: \(error.reason)")
        }
    }

    /// Returns whether a process runs; one of ours that has ended is not counted.
    static func isRunning(_ process: pid_t) -> Bool {
        var status: Int32 = 0
        if waitpid(process, &status, WNOHANG) == process { return false }
        return kill(process, 0) == 0
    }
}
