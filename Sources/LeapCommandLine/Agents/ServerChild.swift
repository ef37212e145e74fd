import Foundation
import LeapBase

/// A `leap-server` that serves one agent at a free port of this machine, and ends with it.
///
/// Its standard input is a pipe, whose other end this process holds. Where SIGKILL ends this process, the pipe ends and
/// the server with it (`--end-with-input`).
final class ServerChild: Sendable {
    /// The time that a server has until it listens.
    private static let startTimeout = Duration.seconds(120)
    /// The time that it has to end.
    private static let endTimeout = Duration.seconds(10)
    private static let pause = Duration.milliseconds(20)

    /// Its address, such as `http://127.0.0.1:41234`.
    let url: String
    /// The key that it wants, which is in no argument, as other users can read these.
    let key: String
    private let process: pid_t
    private let log: String
    private let input: InputPipe

    /// The end of a pipe that the server reads, open as long as this value lives.
    private final class InputPipe: Sendable {
        private let end: Int32

        init(_ end: Int32) { self.end = end }

        deinit { close(end) }
    }

    private init(url: String, key: String, process: pid_t, log: String, input: InputPipe) {
        (self.url, self.key, self.process, self.log, self.input) = (url, key, process, log, input)
    }

    /// Starts the program and waits until it listens.
    ///
    /// - Parameters:
    ///   - folder: a folder for its log.
    ///   - isCancelled: whether to give up.
    /// - Throws: `CommandError` with the last line that it wrote, if it ends or does not listen.
    static func start(
        _ program: String, _ arguments: [String], folder: String, environment: [String: String],
        isCancelled: @Sendable () -> Bool = { false }
    ) async throws -> ServerChild {
        let key = randomKey()
        let log = "\(folder)/server.log"
        guard let ends = FileSystem.makePipe() else {
            throw CommandError("\(program) cannot be run: \(FileSystemError("making a pipe", program).reason)")
        }
        let input = InputPipe(ends[1])
        defer { close(ends[0]) }
        let process = try BackgroundProcess.start(
            program, arguments, log: log, input: ends[0],
            environment: environment.merging(["LEAP_API_KEY": key]) { $1 })
        let end = ContinuousClock.now + startTimeout
        while true {
            if let url = address(in: log) {
                return ServerChild(url: url, key: key, process: process, log: log, input: input)
            }
            guard BackgroundProcess.isRunning(process) else {
                throw CommandError("leap-server ended at once: \(BackgroundProcess.lastLine(of: log))")
            }
            guard ContinuousClock.now < end, !isCancelled() else {
                await stop(process)
                if isCancelled() { throw Interrupts.status }
                throw CommandError("leap-server does not listen: \(BackgroundProcess.lastLine(of: log))")
            }
            try await Task.sleep(for: pause)
        }
    }

    /// The arguments of a server for one model.
    static func arguments(model: String, context: Int?, threads: Int?, gpu: GPULayersArgument?) -> [String] {
        var words = [model, "--port", "0", "--no-page", "--no-pull", "--grace", "0", "--end-with-input"]
        if let context { words += ["--context", "\(context)"] }
        if let threads { words += ["--threads", "\(threads)"] }
        if let gpu { words += ["--gpu", gpu.count == .max ? "all" : "\(gpu.count)"] }
        return words
    }

    /// Ends the server, and waits for its end.
    ///
    /// - Returns: the line that tells why it had ended before; nil where it ran.
    func stop() async -> String? {
        // One that has ended is reaped here: its number may soon be another process's.
        guard BackgroundProcess.isRunning(process) else { return BackgroundProcess.lastLine(of: log) }
        await Self.stop(process)
        return nil
    }

    private static func stop(_ process: pid_t) async {
        kill(process, SIGTERM)
        let end = ContinuousClock.now + endTimeout
        while BackgroundProcess.isRunning(process) {
            if ContinuousClock.now > end {
                kill(process, SIGKILL)
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                return
            }
            try? await Task.sleep(for: pause)
        }
    }

    /// The address in the line with which a server says that it listens; nil as long as there is none.
    static func address(in log: String) -> String? {
        guard let bytes = (try? FileSystem.read(log, limit: 1 << 20)) ?? nil else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // A line is whole when its end is there.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let mark = "listening at "
        return lines.lazy.compactMap { line in
            line.range(of: mark).map { String(line[$0.upperBound...].prefix { !$0.isWhitespace }) }
        }.first
    }

    /// 128 random bits.
    private static func randomKey() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }
}
