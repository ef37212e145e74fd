import Foundation
import LeapBase
import LeapHTTP
import LeapJSON

/// Speaks with a server over Streamable HTTP: each message is a POST, whose answer is a JSON document or a stream of
/// events.
///
/// The stream that a server may have for messages of its own (GET) is not opened: what it would bring is not asked for.
final class HTTPTransport: MCPTransport {
    private struct State {
        /// The server's address, or the one on the same server that it has named instead.
        var url: URL
        var receiver: (any MCPReceiver)?
        var session: String?
        var version: String?
        var running: [Int64: Task<Void, Never>] = [:]
        /// Messages that are no requests and are on their way, in their order: whatever is sent after one waits until
        /// it has arrived.
        var underWay: [Task<Void, Never>] = []
        var isClosed = false
    }

    /// Messages that are no requests and are on their way, at most.
    private static let maxUnderWay = 64
    /// Addresses that a server may name one after the other in the place of its own.
    private static let maxRedirects = 3
    /// Bytes of a session's identifier.
    private static let maxSessionBytes = 1024

    private let shown: String
    private let limits: MCPLimits
    /// A call must not be carried out twice: libcurl sends a request again where a kept connection was closed, so none
    /// is kept.
    private let makeTransport: @Sendable () -> any Transport
    private let state: Locked<State>

    init(_ url: URL, shown: String, limits: MCPLimits, makeTransport: @escaping @Sendable () -> any Transport) {
        state = Locked(State(url: url))
        self.shown = shown
        self.limits = limits
        self.makeTransport = makeTransport
    }

    func start(_ receiver: any MCPReceiver) throws(MCPError) { state.withLock { $0.receiver = receiver } }

    func use(version: String) { state.withLock { $0.version = version } }

    func send(_ message: [UInt8], id: Int64?) throws(MCPError) {
        let hasRoom = state.withLock { state in
            guard !state.isClosed else { return true }
            guard id != nil || state.underWay.count < Self.maxUnderWay else { return false }
            let before = state.underWay.last
            let task = Task { [weak self] in
                await before?.value
                await self?.exchange(message, id)
            }
            if let id {
                state.running[id] = task
            } else {
                state.underWay.append(task)
            }
            return true
        }
        guard hasRoom else {
            throw MCPError(shown, .flooded, "does not take its messages: \(Self.maxUnderWay) messages wait")
        }
    }

    func abandon(_ id: Int64) { state.withLock { $0.running[id] }?.cancel() }

    func close() async {
        let tasks = state.withLock { state in
            state.isClosed = true
            // It holds this transport, too.
            state.receiver = nil
            return Array(state.running.values) + state.underWay
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await endSession()
    }

    /// Tells the server that its session is over, as it would keep it otherwise; what it answers makes no difference.
    private func endSession() async {
        let found = state.withLock { state -> (url: URL, fields: [(name: String, value: String)])? in
            guard state.session != nil else { return nil }
            defer { state.session = nil }
            return (state.url, Self.fields(state))
        }
        guard let (url, fields) = found else { return }
        let seconds = limits.endTimeout / .seconds(1)
        let watchdog = Watchdog(
            responseTimeout: seconds, stallTimeout: seconds, minimumBytes: 1, totalTimeout: seconds)
        let transport = makeTransport()
        let request = HTTPRequest(url: url, fields: fields, method: .delete)
        _ = try? await watchdog.watch(url, HTTPReceiver(head: { _ in false }, body: { _ in false })) {
            try await transport.send(request, to: $0)
        }
    }

    func kill() {}

    // MARK: An exchange

    private func exchange(_ message: [UInt8], _ id: Int64?) async {
        let (receiver, fields) = state.withLock { ($0.receiver, Self.fields($0, message)) }
        defer {
            state.withLock { state in
                if let id { state.running[id] = nil } else { state.underWay.removeFirst() }
            }
        }
        guard let receiver, !Task.isCancelled else { return }
        // A request has its own time; nobody waits for anything else.
        let wait = id == nil ? 30.0 : 3600
        let watchdog = Watchdog(
            responseTimeout: wait, stallTimeout: wait, minimumBytes: 1, totalTimeout: id == nil ? 60 : .infinity)
        do {
            var (answer, head) = try await send(message, fields, id, receiver, watchdog)
            for _ in 0..<Self.maxRedirects where isElsewhere(head) {
                // The method and the body stay (RFC 9110, 15.4.8 and 15.4.9).
                (answer, head) = try await send(message, fields, id, receiver, watchdog)
            }
            if let problem = answer.end(head, hasSession: state.withLock { $0.session } != nil) {
                throw problem(shown)
            }
        } catch is CancellationError {
            return
        } catch {
            let failure = failure(error)
            if failure.code == .ended {
                // Nothing more can be sent in a session that is over, and it is not ended once more.
                state.withLock { $0.session = nil }
                receiver.ended(failure)
            }
            guard let id else { return }
            receiver.failed(id, failure)
        }
    }

    /// Sends a message once.
    private func send(
        _ message: [UInt8], _ fields: [(name: String, value: String)], _ id: Int64?, _ receiver: any MCPReceiver,
        _ watchdog: Watchdog
    ) async throws -> (MCPAnswer, HTTPHead) {
        let url = state.withLock { $0.url }
        let answer = MCPAnswer(id: id, maxBytes: limits.maxMessageBytes, receiver: receiver)
        let request = HTTPRequest(url: url, fields: fields, body: message)
        let taker = HTTPReceiver(
            head: { [weak self] head in
                // Before the answer is read, as the next message needs it.
                try self?.takeSession(head)
                return answer.begin(head)
            }, body: { try answer.take($0) })
        let transport = makeTransport()
        return (answer, try await watchdog.watch(url, taker) { try await transport.send(request, to: $0) })
    }

    /// Takes the address that an answer names in the place of this one; false where it names none on the same server.
    private func isElsewhere(_ head: HTTPHead) -> Bool {
        guard head.status == 307 || head.status == 308, let location = head["location"] else { return false }
        return state.withLock { state in
            guard let url = URL(string: location, relativeTo: state.url)?.absoluteURL, url != state.url,
                url.scheme?.lowercased() == state.url.scheme?.lowercased(),
                url.host?.lowercased() == state.url.host?.lowercased(), url.port == state.url.port
            else { return false }
            state.url = url
            return true
        }
    }

    private func failure(_ error: any Error) -> MCPError {
        switch error {
        case let error as MCPError: error
        case is MCPAnswer.TooLong:
            MCPError(shown, .tooLong, "sent a message of more than \(limits.maxMessageBytes) bytes")
        default: MCPError(shown, .connection, "cannot be used: \(ShownText.of("\(error)", limit: 500))")
        }
    }

    /// - Parameter message: the one that they are sent with, for the fields that tell of it.
    private static func fields(_ state: State, _ message: [UInt8]? = nil) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [
            ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
            ("User-Agent", "open-leap/\(PackageVersion.text)"),
        ]
        if let version = state.version { fields.append(("MCP-Protocol-Version", version)) }
        if let session = state.session { fields.append(("Mcp-Session-Id", session)) }
        guard state.version == MCPVersion.stateless, let message, let value = try? JSONParser.parse(message) else {
            return fields
        }
        if let method = value["method"]?.string { fields.append(("Mcp-Method", method)) }
        // Names of tools are visible characters of ASCII.
        if value["method"] == "tools/call", let name = value["params"]?["name"]?.string {
            fields.append(("Mcp-Name", name))
        }
        return fields
    }

    /// Takes the session that an answer names, the first one.
    private func takeSession(_ head: HTTPHead) throws(MCPError) {
        guard (200..<300).contains(head.status), let session = head["Mcp-Session-Id"] else { return }
        // Visible characters of ASCII, as the specification says: it is sent back in a header.
        guard session.utf8.count <= Self.maxSessionBytes, session.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw MCPError(shown, .malformed, "names a session that does not fit in a header")
        }
        state.withLock { if $0.session == nil { $0.session = session } }
    }
}

/// The answer to one message, as it arrives.
final class MCPAnswer: Sendable {
    struct TooLong: Error {}
    /// A problem with an answer, as an error once the server's name is known.
    typealias Problem = @Sendable (_ server: String) -> MCPError

    private enum Form {
        case none
        case events(EventStreamParser)
        case document([UInt8])
    }

    private let id: Int64?
    private let maxBytes: Int
    private let receiver: any MCPReceiver
    private let form = Locked(Form.none)

    init(id: Int64?, maxBytes: Int, receiver: any MCPReceiver) {
        self.id = id
        self.maxBytes = maxBytes
        self.receiver = receiver
    }

    func begin(_ head: HTTPHead) -> Bool {
        let isEvents = Self.type(head).hasPrefix("text/event-stream")
        form.withLock { $0 = isEvents ? .events(EventStreamParser(maxEventBytes: maxBytes)) : .document([]) }
        return true
    }

    /// The next bytes; false where no more are wanted.
    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let events = try form.withLock { form -> [EventStreamParser.Event] in
            switch form {
            case .none: return []
            case .document(var body):
                form = .none
                guard bytes.count <= maxBytes - body.count else { throw TooLong() }
                body.append(contentsOf: bytes)
                form = .document(body)
                return []
            case .events(var parser):
                form = .none
                defer { form = .events(parser) }
                let events = parser.append(bytes)
                if parser.isTooLong { throw TooLong() }
                return events
            }
        }
        return take(events)
    }

    /// The end of the answer.
    ///
    /// - Returns: what is wrong where a request has no answer.
    func end(_ head: HTTPHead, hasSession: Bool) -> Problem? {
        let ended = form.withLock { form in
            defer { form = .none }
            return form
        }
        switch ended {
        case .none: break
        case .events(var parser):
            if let last = parser.finish() { _ = take([last]) }
        case .document(let body):
            if id != nil, hasSession, Self.forgetsSession(head, body) { return Self.forgotten }
            guard Self.type(head).hasPrefix("application/json") else { break }
            // Of an error the body may be JSON-RPC's answer, or anything.
            if (200..<300).contains(head.status) {
                if !body.isEmpty { _ = receiver.receive(body) }
            } else if let id, (try? JSONParser.parse(body, maxValues: 10_000))?["id"] == .integer(id) {
                _ = receiver.receive(body)
            }
        }
        guard let id, receiver.isWaiting(for: id) else { return nil }
        return Self.problem(head, hasSession: hasSession)
    }

    private func take(_ events: [EventStreamParser.Event]) -> Bool {
        for event in events where event.name == nil || event.name == "message" {
            // Without data it only tells where the stream could be taken up.
            if event.data.isEmpty { continue }
            guard receiver.receive(Array(event.data.utf8)) else { return false }
        }
        // Whoever asked has the answer: a stream that is kept open is left.
        guard let id else { return true }
        return receiver.isWaiting(for: id)
    }

    /// Bytes of an answer that are looked through for words.
    private static let maxWords = 4096

    /// Returns whether an answer says that the session is not known: by the status that the specification has for it,
    /// or in words, which servers send with others.
    private static func forgetsSession(_ head: HTTPHead, _ body: [UInt8]) -> Bool {
        switch head.status {
        case 404, 410: return true
        case 400, 422:
            let words = String(decoding: body.prefix(maxWords), as: UTF8.self).lowercased()
            return words.contains("session")
        default: return false
        }
    }

    private static let hasEnded = "has ended the session"
    private static let forgotten: Problem = { MCPError($0, .ended, hasEnded) }

    private static func type(_ head: HTTPHead) -> String { head["content-type"]?.lowercased() ?? "" }

    private static func problem(_ head: HTTPHead, hasSession: Bool) -> Problem {
        let (code, reason): (MCPError.Code, String) =
            switch head.status {
            case 200..<300:
                (
                    .malformed,
                    "ended its answer (\(head.status), \(ShownText.of(type(head).isEmpty ? "no type" : type(head), limit: 60))) without a result"
                )
            case 300..<400:
                (
                    .connection,
                    "has moved (status \(head.status)): give the address that it names, \(ShownText.of(head["location"] ?? "none", limit: 200))"
                )
            case 401, 403:
                (.connection, "refuses the request (status \(head.status)); authorization is not supported")
            case 404 where hasSession, 410 where hasSession: (.ended, Self.hasEnded)
            default: (.connection, "refuses the request with status \(head.status)")
            }
        return { MCPError($0, code, reason) }
    }
}
