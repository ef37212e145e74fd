/// A value that a lock protects: the only way to it is ``withLock(_:)``.
///
/// `Synchronization.Mutex` needs iOS 18 and Foundation's `NSLock` needs Foundation; the package supports iOS 17 without
/// it, so this is the one lock every target uses. It is `os_unfair_lock` on Apple platforms and a pthread mutex
/// elsewhere. It is not recursive, and must never be held across an `await` (the closure is synchronous, so it cannot
/// be).
package final class Locked<Value>: @unchecked Sendable {
    // Sendable although `value` is mutable: every access to it runs under `lock`.
    #if canImport(Darwin)
        private let lock: UnsafeMutablePointer<os_unfair_lock>
    #else
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
    #endif
    private var value: Value

    /// Protects `value` with a new lock.
    package init(_ value: Value) {
        self.value = value
        // On the heap, because a lock must keep its address.
        lock = .allocate(capacity: 1)
        #if canImport(Darwin)
            lock.initialize(to: os_unfair_lock())
        #else
            lock.initialize(to: pthread_mutex_t())
            let status = pthread_mutex_init(lock, nil)
            precondition(status == 0, "pthread_mutex_init failed with \(status)")
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(lock)
        #endif
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    ///
    /// - Throws: what `body` throws; the lock is released then too.
    package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        #if canImport(Darwin)
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
        #else
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
        #endif
        return try body(&value)
    }
}
