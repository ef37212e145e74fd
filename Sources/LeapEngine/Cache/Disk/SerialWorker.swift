#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// Runs closures one after the other on a thread that exists only while there are some.
final class SerialWorker: @unchecked Sendable {  // every access to the state holds `mutex`
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let idle: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [@Sendable () -> Void] = []
    private var isRunning = false

    init() {
        mutex = .allocate(capacity: 1)
        idle = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(idle, nil)
    }

    deinit {
        pthread_cond_destroy(idle)
        pthread_mutex_destroy(mutex)
        idle.deallocate()
        mutex.deallocate()
    }

    /// Runs a closure after those before it; where the system gives no thread, on the caller's.
    func run(_ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        jobs.append(job)
        let starts = !isRunning
        isRunning = true
        pthread_mutex_unlock(mutex)
        guard starts else { return }
        do throws(EngineError) { try EngineThread.start { self.work() } } catch { work() }
    }

    private func work() {
        pthread_mutex_lock(mutex)
        while !jobs.isEmpty {
            let job = jobs.removeFirst()
            pthread_mutex_unlock(mutex)
            job()
            pthread_mutex_lock(mutex)
        }
        isRunning = false
        pthread_cond_broadcast(idle)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until all closures have run.
    func drain() {
        pthread_mutex_lock(mutex)
        while isRunning { pthread_cond_wait(idle, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
