import LeapBase

/// Work for the engine's thread, and what the thread sleeps on while there is none.
final class Mailbox: Sendable {
    /// Runs on the engine's thread.
    typealias Command = @Sendable (EngineCore) -> Void

    private struct State {
        var commands: [Command] = []
        var isClosed = false

        mutating func takeAll() -> [Command] {
            defer { commands = [] }
            return commands
        }
    }

    private let state = Monitor(State())

    /// Hands a command to the thread; false if there is no thread any more.
    func post(_ command: @escaping Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            return true
        }
    }

    /// Takes all commands; with `waiting`, sleeps until there is one.
    func take(waiting: Bool) -> [Command] {
        state.wait(
            while: { waiting && $0.commands.isEmpty && !$0.isClosed },
            then: { $0.takeAll() })
    }

    /// Sleeps until there is a command, for as long as a duration at most.
    func rest(_ duration: Duration) {
        state.wait(atMost: duration, while: { $0.commands.isEmpty && !$0.isClosed })
    }

    /// Refuses commands from now on and gives those that are left.
    func close() -> [Command] {
        state.withLock { state in
            state.isClosed = true
            return state.takeAll()
        }
    }
}
