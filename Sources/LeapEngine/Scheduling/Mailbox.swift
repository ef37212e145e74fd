#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// Work for the engine's thread, and what the thread sleeps on while there is none.
final class Mailbox: @unchecked Sendable {  // every access to `commands` and `isClosed` holds `mutex`
    /// Runs on the engine's thread.
    typealias Command = @Sendable (EngineCore) -> Void

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var commands: [Command] = []
    private var isClosed = false

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Hands a command to the thread; false if there is no thread any more.
    func post(_ command: @escaping Command) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed else { return false }
        commands.append(command)
        pthread_cond_signal(condition)
        return true
    }

    /// Takes all commands; with `waiting`, sleeps until there is one.
    func take(waiting: Bool) -> [Command] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting, commands.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        let taken = commands
        commands = []
        return taken
    }

    /// Refuses commands from now on and gives those that are left.
    func close() -> [Command] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isClosed = true
        let left = commands
        commands = []
        return left
    }
}
