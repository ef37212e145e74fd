import LeapBase

/// A program that was started with pipes in the places of its standard input, output and error.
///
/// It has a session of its own, and so no terminal: Ctrl-C does not reach it, and it cannot draw there by itself. What it starts is in its
/// process group, and ends with it.
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

    /// POSIX_SPAWN_SETSID, which Swift does not see everywhere.
    #if canImport(Darwin)
        private static let newSession: Int16 = 0x400
    #else
        private static let newSession: Int16 = 0x80
    #endif

    /// Starts a program, which is looked for in `PATH` where its name has no slash.
    ///
    /// - Returns: the process, or the number of the system's error.
    static func start(_ words: [String]) -> Result<ChildProcess, FileSystemError> {
        let program = words.first ?? ""
        var ends: [Int32] = []
        func closeAll() { for end in ends { close(end) } }
        for _ in 0..<3 {
            guard let pair = makePipe() else {
                let error = FileSystemError("making a pipe", program)
                closeAll()
                return .failure(error)
            }
            ends += pair
        }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[3], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[5], 2)
        // What this process ignores or holds back the program would ignore and hold back, SIGTERM too.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var identifier: pid_t = 0
        let number = posix_spawnp(&identifier, program, &actions, &attributes, &pointers, environ)
        guard number == 0 else {
            closeAll()
            return .failure(FileSystemError("starting", program, number: number))
        }
        for end in [ends[0], ends[3], ends[5]] { close(end) }
        let own = [ends[1], ends[2], ends[4]]
        for end in own { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return .success(ChildProcess(identifier: identifier, input: own[0], output: own[1], errors: own[2]))
    }

    /// A pipe's ends for reading and writing, which no other program inherits.
    static func makePipe() -> [Int32]? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// Whether the program has ended; it stays a process, with its number, until ``reap()``.
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
