import LeapBase

/// A program that was started with pipes in the places of its standard input, output and error.
///
/// It has a session of its own, and so no terminal: Ctrl-C does not reach it, and it cannot draw there by itself. What
/// it starts is in its process group, and ends with it.
struct ChildProcess: Sendable {
    enum Ending: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
    }

    let identifier: pid_t
    /// This side's ends of the pipes, none of which blocks.
    let input: Int32
    let output: Int32
    let errors: Int32

    /// Starts a program, which is looked for in `PATH` where its name has no slash.
    ///
    /// - Returns: the process, or the number of the system's error.
    static func start(_ words: [String]) -> Result<ChildProcess, FileSystemError> {
        let program = words.first ?? ""
        var ends: [Int32] = []
        func closeAll() { for end in ends { close(end) } }
        for _ in 0..<3 {
            guard let pair = FileSystem.makePipe() else {
                let error = FileSystemError("making a pipe", program)
                closeAll()
                return .failure(error)
            }
            ends += pair
        }
        // What this process ignores or holds back the program would ignore and hold back, SIGTERM too.
        let started = ProgramStart.start(
            words, streams: [.copy(of: ends[0]), .copy(of: ends[3]), .copy(of: ends[5])],
            defaultSignals: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ])
        switch started {
        case .failure: closeAll()
        case .success:
            for end in [ends[0], ends[3], ends[5]] { close(end) }
            for end in [ends[1], ends[2], ends[4]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }
        return started.map { ChildProcess(identifier: $0, input: ends[1], output: ends[2], errors: ends[4]) }
    }

    /// True if the program has ended; it stays a process, with its number, until ``reap()``.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(identifier), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
    }

    /// Sends a signal to the program and what it has started.
    func send(signal number: Int32) { _ = kill(-identifier, number) }

    /// Waits for the program's end, which has to be near.
    func reap() -> Ending {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let number = status & 0x7F
        return number == 0 ? .exited(status >> 8 & 0xFF) : .signalled(number)
    }
}
