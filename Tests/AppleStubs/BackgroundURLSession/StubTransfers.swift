// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
import FoundationNetworking

/// A value behind a lock.
public final class StubLock<Value>: @unchecked Sendable {
    // Sendable: every access runs under the lock.
    private let lock = NSLock()
    private var value: Value
    init(_ value: Value) { self.value = value }
    public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R { try lock.withLock { try body(&value) } }
}

/// A download that the system has taken over.
public final class StubTransfer: Sendable {
    struct State: Sendable {
        var state = URLSessionTask.State.suspended
        var description: String?
        var response: URLResponse?
    }
    public let identifier: Int
    public let request: URLRequest
    let state = StubLock(State())

    init(_ identifier: Int, _ request: URLRequest) {
        self.identifier = identifier
        self.request = request
    }
}

enum StubEvent: Sendable {
    case wrote(StubTransfer, Int64)
    case finished(StubTransfer, URL)
    case failed(StubTransfer, any Error)
    case allDelivered
}

/// The system's part of background sessions: transfers go on while no process has their session, and what happened
/// meanwhile is delivered to the next session of the same identifier.
public final class StubTransfers: Sendable {
    public struct Answer: Sendable {
        public var status: Int
        public var fields: [String: String]
        public var body: Data
        public init(status: Int, fields: [String: String], body: Data) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    private struct Group: Sendable {
        var session: URLSession?
        var transfers: [StubTransfer] = []
        var missed: [StubEvent] = []
        var count = 0
        var answer: (@Sendable (URLRequest) -> Answer)?
    }

    public static let shared = StubTransfers()

    private let groups = StubLock<[String: Group]>([:])

    // MARK: For tests

    /// Answers every request of a session as soon as it is started.
    public func answer(_ identifier: String, by answer: @escaping @Sendable (URLRequest) -> Answer) {
        groups.withLock { $0[identifier, default: Group()].answer = answer }
    }

    /// Returns the number of transfers that were ever begun in a session.
    public func count(_ identifier: String) -> Int { groups.withLock { $0[identifier]?.count ?? 0 } }

    /// The transfers that are under way.
    public func running(_ identifier: String) -> [StubTransfer] {
        groups.withLock { groups in
            (groups[identifier]?.transfers ?? []).filter { $0.state.withLock { $0.state == .running } }
        }
    }

    /// The process that has the session ends: nobody is told of anything any more.
    public func endProcess(_ identifier: String) { groups.withLock { $0[identifier]?.session = nil } }

    /// Bytes of a transfer came.
    public func write(_ transfer: StubTransfer, _ identifier: String, bytes: Int64) {
        deliver(.wrote(transfer, bytes), identifier)
    }

    /// A transfer came to its end.
    public func finish(_ transfer: StubTransfer, _ identifier: String, _ answer: Answer) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stub-" + UUID().uuidString)
        try answer.body.write(to: file)
        let url = transfer.request.url ?? file
        transfer.state.withLock { state in
            state.response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.fields)
            state.state = .completed
        }
        deliver(.finished(transfer, file), identifier)
    }

    /// A transfer failed, or was cancelled.
    public func fail(_ transfer: StubTransfer, _ identifier: String, _ error: any Error) {
        transfer.state.withLock { $0.state = .completed }
        deliver(.failed(transfer, error), identifier)
    }

    // MARK: For sessions

    func make(_ request: URLRequest, _ identifier: String) -> StubTransfer {
        groups.withLock { groups in
            groups[identifier, default: Group()].count += 1
            let transfer = StubTransfer(groups[identifier, default: Group()].count, request)
            groups[identifier, default: Group()].transfers.append(transfer)
            return transfer
        }
    }

    func resumed(_ transfer: StubTransfer, _ session: URLSession) {
        let answer = groups.withLock { $0[session.stubIdentifier]?.answer }
        guard let answer else { return }
        DispatchQueue.global().async { [self] in
            do {
                try finish(transfer, session.stubIdentifier, answer(transfer.request))
            } catch {
                fail(transfer, session.stubIdentifier, error)
            }
        }
    }

    func attach(_ session: URLSession) {
        let missed = groups.withLock { groups -> [StubEvent] in
            defer { groups[session.stubIdentifier]?.missed = [] }
            groups[session.stubIdentifier, default: Group()].session = session
            return groups[session.stubIdentifier]?.missed ?? []
        }
        guard !missed.isEmpty else { return }
        for event in missed + [.allDelivered] { session.deliver(event) }
    }

    func unfinished(of session: URLSession) -> [StubTransfer] {
        groups.withLock { groups in
            guard let group = groups[session.stubIdentifier], group.session === session else { return [] }
            return group.transfers.filter { $0.state.withLock { $0.state != .completed } }
        }
    }

    private func deliver(_ event: StubEvent, _ identifier: String) {
        let session = groups.withLock { groups -> URLSession? in
            if let session = groups[identifier]?.session { return session }
            // Only ends are told later.
            if case .wrote = event { return nil }
            groups[identifier]?.missed.append(event)
            return nil
        }
        session?.deliver(event)
    }
}
