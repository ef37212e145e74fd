import Foundation
import LeapBase
import LeapJSON

/// Requests to a server and the answers to them, with a bound on everything that the server sends.
final class MCPConnection: MCPReceiver {
    private struct State {
        var latestID: Int64 = 0
        var pending: [Int64: CheckedContinuation<JSONObject, any Error>] = [:]
        /// The error after which nothing more can be sent or will come; nil before.
        var failure: MCPError?
        /// Messages that were not asked for since the latest request.
        var unaskedCount = 0
        /// Answers to requests that nobody waits for.
        var unmatchedCount = 0
        var strayCount = 0
        var firstStray: String?
        var loggedCount = 0
        var hasNewTools = false
        /// True if each message says which version it is of, as there was no handshake.
        var isStateless = false
    }

    /// The name and version of this side, as servers are told.
    static let clientInfo = JSONValue.object(["name": "open-leap", "version": .string(PackageVersion.text)])

    /// Messages in one array, which version 2025-03-26 allows.
    private static let maxBatch = 1000

    private let shown: String
    private let limits: MCPLimits
    private let transport: any MCPTransport
    private let writeLog: @Sendable (String) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - shown: the server's name in messages.
    ///   - log: takes lines for the log, at the level for debugging.
    init(_ transport: any MCPTransport, shown: String, limits: MCPLimits, log: @escaping @Sendable (String) -> Void) {
        self.transport = transport
        self.shown = shown
        self.limits = limits
        writeLog = log
    }

    /// Has each message say which version it is of.
    func useStateless() { state.withLock { $0.isStateless = true } }

    /// Starts the transport.
    func start() throws(MCPError) { try transport.start(self) }

    /// Returns whether the server has told of other tools since the last time that this was asked.
    func takeNewTools() -> Bool {
        state.withLock { state in
            defer { state.hasNewTools = false }
            return state.hasNewTools
        }
    }

    /// The error because of which the server cannot be used any more; nil as long as it can.
    var failure: MCPError? { state.withLock { $0.failure } }

    /// Ends all requests that wait; a transport that is closed would have them wait until their time is over.
    func leave() { fail(MCPError(shown, .ended, "is no longer used: this program is ending")) }

    // MARK: Sending

    /// Sends a request and waits for its answer, for a limited time.
    ///
    /// A task that is cancelled waits no longer, and the server is told so.
    /// - Parameter isCancellable: whether the server may be told that nobody waits; not of the first request.
    func request(
        _ method: String, _ parameters: JSONObject, timeout: Duration, isCancellable: Bool = true
    ) async throws -> JSONObject {
        let id = state.withLock { state in
            state.latestID += 1
            state.unaskedCount = 0
            return state.latestID
        }
        let message = JSONWriter.bytes(RPCMessage.asking(method, complete(parameters), id: id))
        let timer = Task { [weak self] in
            try await Task.sleep(for: timeout)
            guard let self else { return }
            self.giveUp(id, self.timedOut(method, timeout), isCancellable)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure = state.withLock { state in
                    if state.failure == nil { state.pending[id] = continuation }
                    return state.failure
                }
                if let failure { return continuation.resume(throwing: failure) }
                // One that was cancelled before is not sent.
                if Task.isCancelled {
                    _ = settle(id, .failure(CancellationError()))
                    return
                }
                do throws(MCPError) {
                    try transport.send(message, id: id)
                } catch {
                    failed(id, error)
                }
            }
        } onCancel: {
            giveUp(id, CancellationError(), isCancellable)
        }
    }

    /// Sends a notification.
    func notify(_ method: String, _ parameters: JSONObject = [:]) throws(MCPError) {
        try transport.send(JSONWriter.bytes(RPCMessage.asking(method, complete(parameters))), id: nil)
    }

    private func complete(_ parameters: JSONObject) -> JSONObject {
        guard state.withLock({ $0.isStateless }) else { return parameters }
        return MCPRequestFacts.added(to: parameters, client: Self.clientInfo)
    }

    /// Takes a request out of those that wait, and gives it its end.
    ///
    /// - Returns: whether it waited.
    private func settle(_ id: Int64, _ result: Result<JSONObject, any Error>) -> Bool {
        let continuation = state.withLock { $0.pending.removeValue(forKey: id) }
        continuation?.resume(with: result)
        return continuation != nil
    }

    private func giveUp(_ id: Int64, _ error: any Error, _ isCancellable: Bool) {
        guard settle(id, .failure(error)) else { return }
        if isCancellable {
            let reason = error is CancellationError ? "cancelled by the user" : "no answer in time"
            try? notify(
                "notifications/cancelled", ["requestId": .integer(id), "reason": .string(reason)])
        }
        transport.abandon(id)
    }

    /// Returns the error for a request that was not answered in time, with what the server sent in place of an answer.
    private func timedOut(_ method: String, _ timeout: Duration) -> MCPError {
        let (unmatched, stray, first) = state.withLock { ($0.unmatchedCount, $0.strayCount, $0.firstStray) }
        var reason = "did not answer '\(method)' within \(timeout.components.seconds) seconds"
        if unmatched > 0 { reason += "; it sent \(unmatched) answers that belong to no request" }
        if let first { reason += "; it wrote \(stray) lines that are not messages, the first: \(first)" }
        return MCPError(shown, .timedOut, reason)
    }

    // MARK: Receiving

    func isWaiting(for id: Int64) -> Bool { state.withLock { $0.pending[id] != nil } }

    func failed(_ id: Int64, _ error: MCPError) { _ = settle(id, .failure(error)) }

    func ended(_ error: MCPError) { fail(error) }

    func noteError(_ line: [UInt8]) { log(String(decoding: line, as: UTF8.self), limit: 1000) }

    func receive(_ message: [UInt8]) -> Bool {
        guard let first = message.first(where: { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }) else { return true }
        let value: JSONValue
        do {
            value = try JSONParser.parse(message, maxValues: RPCMessage.maxValues)
        } catch {
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                return fail(MCPError(shown, .malformed, "sent a message that is not JSON: \(error)"))
            }
            return takeStray(message)
        }
        if let messages = value.array {
            guard messages.count <= Self.maxBatch else {
                return fail(MCPError(shown, .malformed, "sent \(messages.count) messages at once"))
            }
            return messages.allSatisfy(take)
        }
        // A number or a text is what programs print, too.
        return value.object == nil ? takeStray(message) : take(value)
    }

    /// Passes over a line that is no message, as programs like to greet on standard output.
    private func takeStray(_ line: [UInt8]) -> Bool {
        let text = ShownText.of(String(decoding: line.prefix(400), as: UTF8.self), limit: 100)
        let count = state.withLock { state in
            state.strayCount += 1
            state.firstStray = state.firstStray ?? text
            return state.strayCount
        }
        guard count <= limits.maxStrayLines else {
            return fail(MCPError(shown, .flooded, "wrote \(count) lines that are not messages, such as: \(text)"))
        }
        log("not a message: \(text)", limit: 1000)
        return true
    }

    private func take(_ value: JSONValue) -> Bool {
        guard let object = value.object else {
            return fail(MCPError(shown, .malformed, "sent \(value.kind) instead of a message"))
        }
        if object["method"] == nil, let id = object["id"]?.integer, isWaiting(for: Int64(id)) {
            answer(Int64(id), object)
            return true
        }
        let count = state.withLock { state in
            state.unaskedCount += 1
            if object["method"] == nil { state.unmatchedCount += 1 }
            return state.unaskedCount
        }
        guard count <= limits.maxUnaskedMessages else {
            return fail(MCPError(shown, .flooded, "sent \(count) messages that nobody asked for, and was stopped"))
        }
        do throws(RPCError) {
            guard let message = try RPCMessage(value) else { return true }
            guard let id = message.id else {
                note(message)
                return true
            }
            // Neither models (sampling), folders (roots) nor persons (elicitation) are offered to servers.
            guard message.method == "ping" else {
                throw RPCError(.methodNotFound, "there is no method '\(ShownText.of(message.method))' here", id: id)
            }
            reply(RPCMessage.result(id, [:]))
        } catch {
            // Without an identifier it was no request.
            if error.id != nil { reply(error.answer) }
        }
        return true
    }

    private func reply(_ value: JSONValue) {
        do throws(MCPError) {
            try transport.send(JSONWriter.bytes(value), id: nil)
        } catch {
            fail(error)
        }
    }

    private func answer(_ id: Int64, _ object: JSONObject) {
        if let result = object["result"]?.object {
            _ = settle(id, .success(result))
        } else if let error = object["error"]?.object {
            let text = ShownText.of(error["message"]?.string ?? "no message", limit: 500)
            let number = error["code"]?.integer.map { " \(Int64($0))" } ?? ""
            _ = settle(id, .failure(MCPError(shown, .refused, "answered with error\(number): \(text)")))
        } else {
            _ = settle(
                id, .failure(MCPError(shown, .malformed, "sent an answer with neither a result nor an error")))
        }
    }

    private func note(_ message: RPCMessage) {
        switch message.method {
        case "notifications/tools/list_changed": state.withLock { $0.hasNewTools = true }
        case "notifications/message":
            let data = message.parameters["data"] ?? .null
            log(data.string ?? JSONWriter.string(data), limit: 1000)
        default: break
        }
    }

    /// Notes why nothing more can be sent or will come; the first reason counts.
    @discardableResult
    private func fail(_ error: MCPError) -> Bool {
        let (first, waiting) = state.withLock { state in
            let first = state.failure ?? error
            state.failure = first
            defer { state.pending = [:] }
            return (first, state.pending.values)
        }
        for continuation in waiting { continuation.resume(throwing: first) }
        return false
    }

    private func log(_ text: String, limit: Int) {
        let count = state.withLock { state in
            state.loggedCount += 1
            return state.loggedCount
        }
        if count <= limits.maxLoggedLines {
            writeLog("\(shown): \(ShownText.of(text, limit: limit))")
        } else if count == limits.maxLoggedLines + 1 {
            writeLog("\(shown): further lines are not logged")
        }
    }
}
