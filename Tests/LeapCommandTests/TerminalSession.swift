import Foundation
import Testing

/// Runs the built `leap` program at a terminal of its own.
enum TerminalSession {
    /// A new terminal: where its keyboard and screen are, and the name by which programs open it.
    private static func makeTerminal() -> (descriptor: Int32, name: String)? {
        #if canImport(Darwin)
            let terminal = posix_openpt(O_RDWR | O_NOCTTY)
            guard terminal >= 0, grantpt(terminal) == 0, unlockpt(terminal) == 0, let name = ptsname(terminal) else {
                return nil
            }
            return (terminal, String(cString: name))
        #else
            let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (lock, number): (Int32, Int32) = (0, 0)
            // TIOCSPTLCK and TIOCGPTN, which the C library's module leaves out.
            guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
            else { return nil }
            return (terminal, "/dev/pts/\(number)")
        #endif
    }

    /// Returns the output of the program at a terminal of its own, into which these lines are typed.
    static func run(_ arguments: [String], _ lines: [String], environment: [String: String]) throws -> String {
        let (terminal, name) = try #require(Self.makeTerminal())
        let program = open(name, O_RDWR | O_NOCTTY)
        #expect(program >= 0)
        let side = FileHandle(fileDescriptor: program, closeOnDealloc: false)
        let process = Process()
        process.executableURL = LeapProgram.url
        process.arguments = arguments
        var all = ProcessInfo.processInfo.environment
        for name in ["TMUX", "STY", "KITTY_WINDOW_ID", "TERM_PROGRAM", "LC_TERMINAL"] { all[name] = nil }
        process.environment = all.merging(environment) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (side, side, side)
        try process.run()
        close(program)
        let typed = Array((lines.joined(separator: "\n") + "\n").utf8)
        _ = write(terminal, typed, typed.count)
        var shown: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(terminal, &buffer, buffer.count)
            if count > 0 { shown += buffer[..<count] } else if count == 0 || errno != EINTR { break }
        }
        close(terminal)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: shown, as: UTF8.self)
    }
}
