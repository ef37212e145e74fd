import Foundation
import LeapBase

/// The system's handler for background events, called once on the main queue when all events were handled.
///
/// The handler comes from the app's delegate and the end of the events from the session, in either order.
package final class BackgroundEvents: Sendable {
    private struct Handler: @unchecked Sendable {
        // Sendable although the closure need not be: it is called on the main queue only, where the system handed it
        // out.
        let call: () -> Void
    }

    private enum State {
        case idle
        case waiting([Handler])
        case ended
    }

    private let state = Locked(State.idle)

    package init() {}

    /// Takes the handler that the system gave the app.
    package func handle(_ completionHandler: @escaping () -> Void) {
        let handler = Handler(call: completionHandler)
        let isDue = state.withLock { state -> Bool in
            switch state {
            case .ended:
                state = .idle
                return true
            case .idle: state = .waiting([handler])
            case .waiting(let earlier): state = .waiting(earlier + [handler])
            }
            return false
        }
        if isDue { DispatchQueue.main.async { handler.call() } }
    }

    /// Notes that all events were handled.
    package func end() {
        let handlers = state.withLock { state -> [Handler] in
            guard case .waiting(let handlers) = state else {
                state = .ended
                return []
            }
            state = .idle
            return handlers
        }
        for handler in handlers { DispatchQueue.main.async { handler.call() } }
    }
}
