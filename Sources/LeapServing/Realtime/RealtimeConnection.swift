import LeapChat

/// A connection to a realtime session, whatever carries its messages.
package final class RealtimeConnection: Sendable {
    /// A message of the client, with the objects that are kept until it is handled.
    package enum Incoming: Sendable {
        case text([UInt8], any AnyObject & Sendable)
        case binary(any AnyObject & Sendable)
        /// The server is ending.
        case ending
    }

    /// The messages to the client.
    package let outbox = RealtimeOutbox()
    /// The subprotocol that was agreed on; nil for none.
    package let subprotocol: String?
    private let pool: ModelPool
    private let model: ServedModel
    private let limit: Duration?
    /// The holder of the key of the connection's request; nil where there are not several.
    private let holder: KeyHolder?
    /// The request that the connection counts as while it is open.
    private let count: RequestCounter.Request
    /// Begins to note a reply or a transcript.
    private let note: RealtimeSession.Note

    init(
        pool: ModelPool, model: ServedModel, subprotocol: String?, limit: Duration?, holder: KeyHolder?,
        count: RequestCounter.Request, note: @escaping RealtimeSession.Note
    ) {
        self.pool = pool
        self.model = model
        self.subprotocol = subprotocol
        self.limit = limit
        self.holder = holder
        self.count = count
        self.note = note
    }

    /// Handles messages until there are no more; then everything that goes on is stopped.
    package func run(_ messages: AsyncStream<Incoming>) async {
        let lease: ModelLease
        do {
            lease = try await pool.lease(model, ModelPool.Loading())
        } catch {
            let error = APIError(error)
            outbox.send(RealtimeSession.error(error, event: nil))
            return outbox.close(1011, "the model cannot be used")
        }
        let session = RealtimeSession(
            model: RealtimeModel(lease), outbox: outbox, limit: limit, holder: holder, note: note)
        await run(messages, in: session)
    }

    func run(_ messages: AsyncStream<Incoming>, in session: RealtimeSession) async {
        await session.begin()
        for await message in messages {
            switch message {
            case .text(let bytes, let held):
                await session.receive(bytes)
                withExtendedLifetime(held) {}
            case .binary: await session.receivedBinary()
            case .ending: await session.endSoon()
            }
        }
        await session.end()
    }
}
