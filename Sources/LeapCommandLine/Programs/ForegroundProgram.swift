import Dispatch
import Foundation
import LeapBase
import LeapMCP

/// A program that runs in this one's place at the terminal, while this one waits for its end.
///
/// Ctrl-C and Ctrl-\ reach it from the terminal, and are ignored here; `SIGTERM` and `SIGHUP` are passed on to it.
final class ForegroundProgram {
    private struct State {
        /// The program; nil before its start and after its end.
        var process: pid_t?
        /// True if this program was told to end before the other one ran.
        var isCancelled = false
    }

    private let state = Locked(State())
    private let sources: [any DispatchSourceSignal]
    private let interrupts: Interrupts

    /// Takes the signals over, from now on as long as this lives.
    init() {
        let state = state
        @Sendable func cancel() { state.withLock { $0.isCancelled = true } }
        interrupts = Interrupts { if state.withLock({ $0.process }) == nil { cancel() } }
        sources = [SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                state.withLock { state in
                    if let process = state.process { kill(process, number) } else { state.isCancelled = true }
                }
            }
            source.resume()
            return source
        }
        signal(SIGQUIT, SIG_IGN)
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
    }

    /// Tells whether this program was told to end before the other one ran.
    var isCancelled: @Sendable () -> Bool { { [state] in state.withLock { $0.isCancelled } } }

    /// Runs a program to its end.
    ///
    /// - Returns: its status, as shells tell it: 128 and the signal's number where a signal ended it.
    /// - Throws: `CommandError` if it cannot be started, ``Interrupts/status`` if this program was told to end before.
    func run(_ words: [String], environment: [String: String]) async throws -> Int32 {
        let started: Result<pid_t, FileSystemError>? = state.withLock { state in
            guard !state.isCancelled else { return nil }
            let started = ProgramStart.start(
                words, streams: [.copy(of: 0), .copy(of: 1), .copy(of: 2)],
                defaultSignals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE], environment: environment,
                keepsTerminal: true)
            if case .success(let process) = started { state.process = process }
            return started
        }
        guard let started else { throw Interrupts.status }
        switch started {
        case .failure(let error): throw CommandError("\(words.first ?? "") cannot be run: \(error.reason)")
        case .success(let process):
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [state] in
                    // Its number stays its own until it is reaped.
                    var info = siginfo_t()
                    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                    state.withLock { $0.process = nil }
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    let number = status & 0x7F
                    continuation.resume(returning: number == 0 ? status >> 8 & 0xFF : 128 + number)
                }
            }
        }
    }

    /// The path of a program of `PATH`; nil where none has the name.
    static func find(_ name: String, in path: String?) -> String? {
        (path ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0) && !FileSystem.isFolder($0)
        }
    }
}
