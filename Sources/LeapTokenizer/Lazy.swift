import LeapBase

/// A value that is made when it is first asked for, by one thread while others wait.
final class Lazy<Value: Sendable>: Sendable {
    private enum State {
        case recipe(@Sendable () -> Value)
        case value(Value)
    }
    private let state: Locked<State>

    /// Keeps `make`, and all it refers to, until ``value`` is asked for.
    init(_ make: @escaping @Sendable () -> Value) {
        state = Locked(.recipe(make))
    }

    /// The value.
    ///
    /// Takes a lock: who needs it in a loop asks once.
    var value: Value {
        state.withLock { state in
            switch state {
            case .value(let value): return value
            case .recipe(let make):
                let value = make()
                state = .value(value)
                return value
            }
        }
    }
}
