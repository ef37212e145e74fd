/// A value that a lock protects, with threads that sleep until the value has changed.
///
/// For a thread of the system that has nothing else to do: ``wait(while:then:)`` blocks it, so it must not be called
/// from async code. Where no thread waits, ``Locked`` does.
package final class Monitor<Value>: @unchecked Sendable {
    // Sendable although `value` is mutable: every access to it runs under `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    /// Protects `value` with a new lock.
    package init(_ value: Value) {
        self.value = value
        // On the heap, because both must keep their addresses.
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed with \(status)")
        let conditionStatus = pthread_cond_init(condition, nil)
        precondition(conditionStatus == 0, "pthread_cond_init failed with \(conditionStatus)")
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deinitialize(count: 1)
        mutex.deinitialize(count: 1)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value, then wakes every thread that waits.
    ///
    /// - Throws: what `body` throws; the lock is released then too.
    package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Sleeps while `isBlocked` is true of the value, then runs `body` with exclusive access to it.
    ///
    /// - Throws: what `body` throws; the lock is released then too.
    package func wait<R>(while isBlocked: (Value) -> Bool, then body: (inout Value) throws -> R) rethrows -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while isBlocked(value) { pthread_cond_wait(condition, mutex) }
        return try body(&value)
    }
}
