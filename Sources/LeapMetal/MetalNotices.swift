#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Dispatch
    import Foundation
    import LeapBase
    import Metal

    /// The system's notices about the app and about memory.
    final class MetalNotices: @unchecked Sendable {  // what changes is behind a lock
        static let didEnterBackground = Notification.Name(AppNotifications.didEnterBackground)
        static let willEnterForeground = Notification.Name(AppNotifications.willEnterForeground)

        private let background = Locked(false)
        private let observers: [any NSObjectProtocol]
        private let pressure: any DispatchSourceMemoryPressure

        /// - Parameter onRelease: called, on any thread, when the system is short of memory or the app goes to the
        ///   background.
        init(onRelease: @escaping @Sendable () -> Void) {
            let (center, background) = (NotificationCenter.default, background)
            observers = [
                center.addObserver(forName: Self.didEnterBackground, object: nil, queue: nil) { _ in
                    background.withLock { $0 = true }
                    onRelease()
                },
                center.addObserver(forName: Self.willEnterForeground, object: nil, queue: nil) { _ in
                    background.withLock { $0 = false }
                },
            ]
            pressure = DispatchSource.makeMemoryPressureSource(
                eventMask: [.warning, .critical], queue: .global(qos: .utility))
            pressure.setEventHandler(handler: onRelease)
            pressure.activate()
        }

        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
            pressure.cancel()
        }

        /// True if the app is in the background, where no new work may be given to the GPU.
        var isInBackground: Bool { background.withLock { $0 } }
    }
#endif
