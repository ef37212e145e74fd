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
        #if canImport(Darwin)
            let conditionStatus = pthread_cond_init(condition, nil)
        #else
            // The wall clock may be set back while a thread waits.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            let conditionStatus = pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
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

    /// Sleeps while `isBlocked` is true of the value, for as long as a duration at most.
    package func wait(atMost duration: Duration, while isBlocked: (Value) -> Bool) {
        let end = ContinuousClock.now + duration
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while isBlocked(value) {
            let left = end - ContinuousClock.now
            guard left > .zero else { return }
            sleep(atMost: left)
        }
    }

    /// Sleeps until the value may have changed, or a duration has passed.
    private func sleep(atMost duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec()
        #if canImport(Darwin)
            time.tv_sec = numericCast(seconds)
            time.tv_nsec = numericCast(attoseconds / 1_000_000_000)
            pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
            clock_gettime(CLOCK_MONOTONIC, &time)
            let nanoseconds = Int64(time.tv_nsec) + attoseconds / 1_000_000_000
            time.tv_sec += numericCast(seconds + nanoseconds / 1_000_000_000)
            time.tv_nsec = numericCast(nanoseconds % 1_000_000_000)
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}
