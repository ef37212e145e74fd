package import LeapBase

/// Starts programs, each in a session of its own unless it keeps the terminal: none has one otherwise, and Ctrl-C does
/// not reach it.
///
/// None keeps open what this process has open.
package enum ProgramStart {
    /// The file or pipe in the place of a standard descriptor.
    package enum Stream {
        /// A file that the program opens; where it makes one, for its owner alone.
        case file(String, flags: Int32)
        case copy(of: Int32)
    }

    /// POSIX_SPAWN_SETSID, which Swift does not see everywhere; on Darwin also POSIX_SPAWN_CLOEXEC_DEFAULT, which
    /// elsewhere ``inherited(from:)`` stands in for.
    #if canImport(Darwin)
        private static let (sessionFlag, closingFlag): (Int16, Int16) = (0x400, 0x4000)
    #else
        private static let (sessionFlag, closingFlag): (Int16, Int16) = (0x80, 0)
    #endif

    /// Starts a program, which is looked for in `PATH` where its name has no slash.
    ///
    /// - Parameters:
    ///   - words: its name or path, and its arguments.
    ///   - streams: its standard input, output and error, in the order in which they are set.
    ///   - defaultSignals: signals that do by default what they do, whatever this process does with them; where there
    ///     are any, none is held back.
    ///   - environment: its variables; nil for those of this process.
    ///   - keepsTerminal: whether it stays in this process's session and process group, so that it can use the terminal.
    /// - Returns: its process identifier, or the system's error.
    package static func start(
        _ words: [String], streams: [Stream], defaultSignals: [Int32] = [], environment: [String: String]? = nil,
        keepsTerminal: Bool = false
    ) -> Result<pid_t, FileSystemError> {
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
        for (descriptor, stream) in streams.enumerated() {
            switch stream {
            case .file(let path, let flags):
                posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, flags, 0o600)
            case .copy(let source): posix_spawn_file_actions_adddup2(&actions, source, Int32(descriptor))
            }
        }
        #if !canImport(Darwin)
            for descriptor in inherited(from: Int32(streams.count)) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif
        var flags = keepsTerminal ? closingFlag : sessionFlag | closingFlag
        if !defaultSignals.isEmpty {
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            for number in defaultSignals { sigaddset(&signals, number) }
            posix_spawnattr_setsigdefault(&attributes, &signals)
            flags |= Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
        }
        posix_spawnattr_setflags(&attributes, flags)
        var pointers = words.map { strdup($0) } + [nil]
        var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in pointers + variables { free(pointer) } }
        let program = words.first ?? ""
        var process: pid_t = 0
        let number =
            environment == nil
            ? posix_spawnp(&process, program, &actions, &attributes, &pointers, environ)
            : posix_spawnp(&process, program, &actions, &attributes, &pointers, &variables)
        return number == 0 ? .success(process) : .failure(FileSystemError("starting", program, number: number))
    }

    #if !canImport(Darwin)
        /// The open descriptors from a number on that a program would inherit, as those of Foundation's pipes: their
        /// other end would see no end of what comes as long as the program runs.
        private static func inherited(from first: Int32) -> [Int32] {
            FileSystem.names(in: "/proc/self/fd").compactMap { Int32($0) }
                .filter { $0 >= first && fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
        }
    #endif
}
