#if LEAP_APPLE_STUBS || canImport(Darwin)
    import Dispatch
    import Foundation
    import LeapBase
    #if LEAP_APPLE_STUBS
        // Beside Metal are the stubs of what Dispatch has on Apple's systems only.
        import Metal
    #endif
    #if canImport(UIKit)
        import os
    #endif

    /// The events of Apple's systems: memory pressure, and the app's ways to the background and back.
    final class ApplePressure: @unchecked Sendable {  // nothing changes after the initializer
        /// Bytes that the process may still take, below which a warning is a critical one.
        private static let criticalByteCount = 128 << 20

        private let observers: [any NSObjectProtocol]
        private let sources: [any DispatchSourceMemoryPressure]

        private init(_ tell: @escaping @Sendable (MemoryEvent) -> Void) {
            let center = NotificationCenter.default
            observers = [
                (AppNotifications.didEnterBackground, MemoryEvent.background),
                (AppNotifications.willEnterForeground, .foreground),
            ].map { name, event in
                center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in tell(event) }
            }
            // One source for each level: their handlers know which one came.
            sources = [
                (DispatchSource.MemoryPressureEvent.warning, MemoryEvent.warning), (.critical, .critical),
            ].map { mask, event in
                let source = DispatchSource.makeMemoryPressureSource(
                    eventMask: mask, queue: .global(qos: .utility))
                source.setEventHandler { tell(Self.isNearLimit ? .critical : event) }
                source.activate()
                return source
            }
        }

        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
            for source in sources { source.cancel() }
        }

        /// True if the process is about to reach its own limit; false where the system tells none.
        private static var isNearLimit: Bool {
            #if canImport(UIKit)
                // 0 for processes that are no apps.
                let available = os_proc_available_memory()
                return available > 0 && available < criticalByteCount
            #else
                return false
            #endif
        }

        static func events() -> AsyncStream<MemoryEvent> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: MemoryEvent.self, bufferingPolicy: .bufferingNewest(4))
            let pressure = ApplePressure { continuation.yield($0) }
            continuation.onTermination = { _ in withExtendedLifetime(pressure) {} }
            return stream
        }
    }
#endif
