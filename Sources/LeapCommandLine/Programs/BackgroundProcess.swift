import Foundation
import LeapBase

/// A program that goes on when this one ends.
enum BackgroundProcess {
    /// POSIX_SPAWN_SETSID, which Swift does not see everywhere.
    #if canImport(Darwin)
        private static let newSession: Int16 = 0x400
    #else
        private static let newSession: Int16 = 0x80
    #endif

    /// Starts a program in a session of its own, with its output in a file.
    ///
    /// - Returns: its process identifier.
    static func start(_ program: String, _ arguments: [String], log: String) throws -> pid_t {
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
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawnattr_setflags(&attributes, newSession)
        var pointers = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        let number = posix_spawn(&process, program, &actions, &attributes, &pointers, environ)
        guard number == 0 else {
            throw CommandError("\(program) cannot be run: \(FileSystemError.text(of: number))")
        }
        return process
    }

    /// Whether a process runs; one of ours that has ended is not counted.
    static func isRunning(_ process: pid_t) -> Bool {
        var status: Int32 = 0
        if waitpid(process, &status, WNOHANG) == process { return false }
        return kill(process, 0) == 0
    }
}
