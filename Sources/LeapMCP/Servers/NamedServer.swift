import LeapBase
package import LeapJSON

/// A server as it was named, with the connection to it: where that has ended, it is made again when a tool is called.
///
/// A call that was under way when the server ended is not made once more, as it may have had its effect.
package final class NamedServer: Sendable {
    /// The condition of a server, as persons are told of it.
    package enum Condition: Sendable {
        case running
        /// It has ended, and is started again when one of its tools is called.
        case ended(MCPError)
        /// It was started again as often as may be, and is not any more.
        case leftOut(MCPError)

        /// True as long as the server's tools may be called.
        package var isUsable: Bool { if case .leftOut = self { false } else { true } }

        /// The problem as the end of a sentence that begins with the server; nil where there is none.
        package var problem: String? {
            switch self {
            case .running: nil
            case .ended(let error): "\(error.reason); it is started again when one of its tools is called"
            case .leftOut(let error): error.reason
            }
        }
    }

    private struct State {
        var client: MCPClient
        /// The error of the last start, where that came to nothing.
        var failedStart: MCPError?
        var restarts: Restarts
        var leftOut: MCPError?
        /// The tools as the server last listed them; nil before.
        var listed: [MCPServerTool]?
        var hasOtherTools = false
        var isClosed = false
        /// A start that is under way, and those that wait for it.
        var start: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var latestWaiter = 0

        /// The error because of which nothing can be asked of the server now; nil where something can.
        var failure: MCPError? { client.failure == nil ? nil : failedStart ?? client.failure }
    }

    /// The name that the server gave itself at first, which it keeps.
    package let name: String
    /// The server's command or address, as messages show it.
    package let shown: String
    private let limits: MCPLimits
    private let clock: RestartClock
    private let connect: @Sendable () async throws -> MCPClient
    private let tell: @Sendable (String) -> Void
    private let state: Locked<State>

    /// - Parameters:
    ///   - client: a connection that was made by `connect`.
    ///   - tell: takes sentences for the person: that the server is started again, or left out.
    private init(
        _ client: MCPClient, limits: MCPLimits, clock: RestartClock, tell: @escaping @Sendable (String) -> Void,
        connect: @escaping @Sendable () async throws -> MCPClient
    ) {
        (name, shown) = (client.name, client.shown)
        self.limits = limits
        self.clock = clock
        self.connect = connect
        self.tell = tell
        state = Locked(
            State(client: client, restarts: Restarts(waits: limits.restartWaits, window: limits.restartWindow)))
    }

    /// Starts a server, or connects to one.
    ///
    /// - Parameters:
    ///   - log: takes lines for the log, at the level for debugging.
    ///   - tell: takes sentences for the person: that the server is started again, or left out.
    /// - Throws: ``MCPError``, or `CancellationError`; then the server has ended.
    package static func connect(
        to address: MCPAddress, limits: MCPLimits = MCPLimits(), clock: RestartClock = RestartClock(),
        log: @escaping @Sendable (String) -> Void = { _ in }, tell: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> NamedServer {
        let connect = { @Sendable in try await MCPClient.connect(to: address, limits: limits, log: log) }
        return NamedServer(try await connect(), limits: limits, clock: clock, tell: tell, connect: connect)
    }

    // MARK: Use

    /// Returns the condition of the server; one that has ended and was started as often as may be is left out from then
    /// on.
    package func condition() -> Condition {
        leaveOutWhereDone()
        return state.withLock { state in
            if let leftOut = state.leftOut { return .leftOut(leftOut) }
            return state.failure.map { .ended($0) } ?? .running
        }
    }

    /// Returns whether there are other tools since the last time that this was asked: the server has told so, was
    /// started again with others, or is left out.
    package func takeNewTools() -> Bool {
        state.withLock { state in
            defer { state.hasOtherTools = false }
            return state.client.takeNewTools() || state.hasOtherTools
        }
    }

    /// The tools that the server lists, and what of them was cut or left out.
    ///
    /// Of a server that has ended they are those that it listed last, and of one that is left out there are none.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package func tools() async throws -> (tools: [MCPServerTool], notes: [String]) {
        let condition = condition()
        let (client, known) = state.withLock { ($0.client, $0.listed) }
        switch condition {
        case .leftOut: return ([], [])
        case .ended: if let known { return (known, []) }
        case .running: break
        }
        let listed = try await client.tools()
        state.withLock { if $0.client === client { $0.listed = listed.tools } }
        return listed
    }

    /// Calls a tool, of a server that is started again before where it has ended.
    ///
    /// A task that is cancelled waits no longer, and the server is told so.
    /// - Throws: ``MCPError``, with the code `changed` where the server does not list the tool as it is given any more;
    ///   or `CancellationError`.
    package func call(
        _ tool: MCPServerTool, _ arguments: JSONObject, maxTextBytes: Int, takesImages: Bool
    ) async throws -> MCPToolResult {
        try await start()
        let (client, isListed) = state.withLock { ($0.client, $0.listed?.contains(tool) == true) }
        guard isListed else {
            throw MCPError(
                shown, .changed,
                "has changed or removed its tool \(tool.name): the call was not made; look at its tools again")
        }
        do {
            return try await client.call(tool, arguments, maxTextBytes: maxTextBytes, takesImages: takesImages)
        } catch {
            leaveOutWhereDone()
            throw error
        }
    }

    /// Waits until the server can be used: where it has ended, it is started again and asked for its tools.
    ///
    /// All that wait share one start; when the last of them is cancelled, so is that.
    /// - Throws: ``MCPError``, or `CancellationError`.
    package func start() async throws {
        let key = state.withLock { state in
            state.latestWaiter += 1
            return state.latestWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(key, $0) }
        } onCancel: {
            leave(key)
        }
    }

    /// Ends the server, and waits for its end; calls that run end with an error, and it is not started again.
    package func close() async {
        let start = state.withLock { state in
            state.isClosed = true
            return state.start
        }
        start?.cancel()
        await start?.value
        await state.withLock { $0.client }.close()
    }

    /// Ends the server without waiting, as this process is about to end.
    package func kill() {
        let (client, start) = state.withLock { state in
            state.isClosed = true
            return (state.client, state.start)
        }
        start?.cancel()
        client.kill()
    }

    // MARK: Starting again

    /// Has a task wait for a start, which begins where none is under way; at once where the server can be used, or
    /// cannot be started.
    private func join(_ key: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        leaveOutWhereDone()
        let now = clock.now()
        let result = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            guard let failure = state.failure else { return .success(()) }
            if state.isClosed { return .failure(failure) }
            if let leftOut = state.leftOut { return .failure(leftOut) }
            guard state.start != nil || begin(&state, failure, at: now) else { return .failure(failure) }
            state.waiters[key] = continuation
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func leave(_ key: Int) {
        let (continuation, abandoned) = state.withLock { state in
            let continuation = state.waiters.removeValue(forKey: key)
            return (continuation, continuation != nil && state.waiters.isEmpty ? state.start : nil)
        }
        continuation?.resume(throwing: CancellationError())
        abandoned?.cancel()
    }

    /// Begins a start; false where there were as many as may be.
    private func begin(_ state: inout State, _ failure: MCPError, at now: Duration) -> Bool {
        guard let wait = state.restarts.wait(at: now) else { return false }
        let old = state.client
        state.start = Task { await self.run(after: wait, old, failure) }
        return true
    }

    private func run(after wait: Duration, _ old: MCPClient, _ failure: MCPError) async {
        var result: Result<Void, any Error>
        do {
            let pause = wait > .zero ? " in \(max(1, wait.components.seconds)) s" : ""
            tell("the MCP server \(shown) is started again\(pause), because it \(failure.reason)")
            if wait > .zero { try await clock.sleep(wait) }
            await old.close()
            try Task.checkCancellation()
            let now = clock.now()
            state.withLock { $0.restarts.begin(at: now) }
            let client = try await connect()
            do {
                let tools = try await client.tools().tools
                state.withLock { state in
                    if state.listed != tools { state.hasOtherTools = true }
                    (state.client, state.listed, state.failedStart) = (client, tools, nil)
                }
            } catch {
                await client.close()
                throw error
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        finish(result)
    }

    /// Ends a start, and lets those go on that wait for it.
    private func finish(_ result: Result<Void, any Error>) {
        let now = clock.now()
        let isCancelled = if case .failure(is CancellationError) = result { true } else { false }
        let (waiters, end) = state.withLock {
            state -> ([CheckedContinuation<Void, any Error>], Result<Void, any Error>) in
            state.start = nil
            if case .failure(let error as MCPError) = result { state.failedStart = error }
            state.restarts.end(at: now)
            var end = result
            if isCancelled, !state.waiters.isEmpty {
                // Whoever came when all others had gone wants another start; there is none when the server is left.
                let failure = state.failure ?? MCPError(shown, .ended, "has ended")
                if !state.isClosed, begin(&state, failure, at: now) { return ([], end) }
                end = .failure(failure)
            }
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), end)
        }
        leaveOutWhereDone()
        for waiter in waiters { waiter.resume(with: end) }
    }

    /// Leaves out a server that has ended and was started again as often as may be, and tells so once.
    private func leaveOutWhereDone() {
        let now = clock.now()
        let error = state.withLock { state -> MCPError? in
            guard state.start == nil, state.leftOut == nil, !state.isClosed, let failure = state.failure,
                state.restarts.wait(at: now) == nil
            else { return nil }
            let error = MCPError(
                shown, .leftOut,
                "was started again \(limits.restartWaits.count) times within \(limits.restartWindow.components.seconds) seconds and is left out now; last, it \(failure.reason). Check that it works by itself, and start this program again"
            )
            (state.leftOut, state.hasOtherTools) = (error, true)
            return error
        }
        if let error { tell(error.message) }
    }
}
