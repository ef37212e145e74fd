import LeapBase
import LeapModel

/// Starts a thread of the system: generating takes seconds, which Swift's own few threads for async work must not be
/// kept for.
enum EngineThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Darwin's default for secondary threads is half a megabyte.
    private static let stackSize = 4 << 20

    /// Runs a closure on a new thread.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory` if the system starts no more threads.
    static func start(_ run: @escaping @Sendable () -> Void) throws(EngineError) {
        let body = Unmanaged.passRetained(Body(run))
        let status = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory -> CInt in
            guard let attributes = memory.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            pthread_attr_setstacksize(attributes, stackSize)
            #if canImport(Darwin)
                var thread: pthread_t?
                return pthread_create(
                    &thread, attributes,
                    { context in
                        pthread_setname_np("open-leap engine")
                        pthread_set_qos_class_self_np(QOS_CLASS_USER_INITIATED, 0)
                        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                        return nil
                    }, body.toOpaque())
            #elseif canImport(Android)
                var thread = pthread_t()
                return pthread_create(
                    &thread, attributes,
                    { context in
                        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                        return context
                    }, body.toOpaque())
            #else
                var thread = pthread_t()
                return pthread_create(
                    &thread, attributes,
                    { context in
                        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                        return nil
                    }, body.toOpaque())
            #endif
        }
        guard status == 0 else {
            body.release()
            throw EngineError(
                .outOfMemory,
                "the system refused a thread (error \(status)): close other programs, or raise the limits of threads and address space (ulimit -u, ulimit -v)"
            )
        }
    }
}
