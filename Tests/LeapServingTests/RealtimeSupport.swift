import Foundation
import LeapBase
import LeapCore
import LeapJSON

@testable import LeapServing

/// A realtime session, whose events are read as they come.
final class RealtimeBench: Sendable {
    let session: RealtimeSession
    private let outbox: RealtimeOutbox
    private let events: EventReader

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - holder: the holder of a key that replies are counted for.
    ///   - reply: replies in place of the model's.
    init(
        _ model: ServedModel? = nil, limit: Duration? = nil, configuration: ModelPool.Configuration? = nil,
        holder: KeyHolder? = nil, reply: (@Sendable ([ChatMessage]) -> PendingReplies.Reply)? = nil
    ) async throws {
        let lease = try await ServingSupport.pool(
            [try model ?? ServingSupport.demo()], configuration ?? (model == nil ? .init() : AudioRequestTests.short)
        ).lease(nil)
        let realtime = reply.map { reply in RealtimeModel(lease) { order, _ in reply(order.messages) } }
        outbox = RealtimeOutbox()
        session = RealtimeSession(
            model: realtime ?? RealtimeModel(lease), outbox: outbox, limit: limit, holder: holder
        ) { operation in
            guard let holder else { return nil }
            let record = RequestTracing().begin(method: "GET", headers: [:], route: "/v1/realtime", operation)
            record.take(holder: holder)
            return record
        }
        events = EventReader(outbox)
        await session.begin()
        _ = try await next("session.created")
    }

    func send(_ json: String) async { await session.receive(Array(json.utf8)) }

    /// The next event.
    func next() async throws -> JSONValue {
        guard let event = try await events.next() else { throw LeapGenerationException("the session has ended") }
        return event
    }

    /// The event of a type, and those that came before it.
    func until(_ type: String) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        while true {
            let event = try await next()
            found.append(event)
            if event["type"]?.string == type { return found }
            if found.count > 10_000 { throw LeapGenerationException("no \(type)") }
        }
    }

    /// The next event, which has to be of a type.
    func next(_ type: String) async throws -> JSONValue {
        let event = try await next()
        guard event["type"]?.string == type else {
            throw LeapGenerationException("\(JSONWriter.string(event)) instead of \(type)")
        }
        return event
    }

    /// Waits for the end of the connection; nil where it goes on.
    func end() async throws -> (code: UInt16, reason: String)? { try await events.close() }

    private final class EventReader: Sendable {
        private let outbox: RealtimeOutbox
        private let closed = Locked<(code: UInt16, reason: String)?>(nil)

        init(_ outbox: RealtimeOutbox) { self.outbox = outbox }

        func next() async throws -> JSONValue? {
            for await message in outbox.messages {
                switch message {
                case .text(let bytes):
                    outbox.took(bytes.count)
                    return try JSONParser.parse(bytes)
                case .close(let code, let reason): closed.withLock { $0 = (code, reason) }
                }
            }
            return nil
        }

        func close() async throws -> (code: UInt16, reason: String)? {
            while try await next() != nil {}
            return closed.withLock { $0 }
        }
    }
}

/// Replies that a test says piece by piece.
final class SpokenReplies: Sendable {
    private let state = Locked<(streams: [SaidReply], ended: Int)>(([], 0))

    /// Replies that were begun, and those that nobody waits for any more.
    var counts: (begun: Int, ended: Int) { state.withLock { ($0.streams.count, $0.ended) } }

    func reply() -> PendingReplies.Reply {
        let said = SaidReply { [state] in state.withLock { $0.ended += 1 } }
        state.withLock { $0.streams.append(said) }
        return said.reply
    }

    func say(_ pieces: MessageResponse...) {
        let last = state.withLock { $0.streams.last }
        for piece in pieces { last?.yield(piece) }
    }

    /// Ends the latest reply with a message of its text.
    func end(_ text: String) {
        let message = ChatMessage(role: .assistant, textContent: text)
        say(
            .complete(
                MessageCompletion(
                    message: message, finishReason: .stop,
                    stats: GenerationStats(promptTokens: 3, completionTokens: 2, tokenPerSecond: 1))))
        state.withLock { $0.streams.last }?.finish()
    }

    func fail(_ error: any Error) { state.withLock { $0.streams.last }?.finish(throwing: error) }
}
