import LeapGGUF

/// One text that an engine remembers between generations.
///
/// The state itself belongs to the engine's thread; this is its handle. Letting go of it frees the memory.
package final class Session: Sendable {
    let id: UInt64
    let mailbox: Mailbox
    private let count = Locked(0)

    init(id: UInt64, mailbox: Mailbox) {
        self.id = id
        self.mailbox = mailbox
    }

    deinit {
        let id = id
        _ = mailbox.post { $0.release(id) }
    }

    /// Tokens whose state is held, as of the last finished step.
    package var tokenCount: Int { count.withLock { $0 } }

    func update(tokenCount: Int) { count.withLock { $0 = tokenCount } }
}
