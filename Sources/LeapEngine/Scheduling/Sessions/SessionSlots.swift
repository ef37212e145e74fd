import LeapCompute
import LeapModel

/// The states of an engine's sessions, of which those that nothing runs in can be given up.
final class SessionSlots: ReclaimableMemory {
    /// The state of one session.
    final class Slot {
        let state: SequenceState
        /// The draft model's sequence; nil until it was asked.
        var draft: DraftSequence?
        /// True if a generation runs in it, or waits to.
        fileprivate(set) var isBusy = false
        /// True if its state is computed with, and therefore stays.
        fileprivate(set) var isActive = false
        fileprivate weak var session: Session?
        fileprivate var lastUse = 0

        fileprivate init(_ state: SequenceState, _ session: Session) {
            self.state = state
            self.session = session
        }

        /// Takes note that a generation was accepted, which waits to run.
        func accept() { isBusy = true }

        /// Takes note that its state is computed with from now on.
        func begin() { isActive = true }

        /// Takes note that nothing is computed with its state any more.
        func endComputing() { isActive = false }

        /// Takes note that its generation has ended.
        func end() { (isBusy, isActive) = (false, false) }
    }

    let kind = MemoryKind.sessions
    private var executor: (any Executor)?
    /// The maximum number of positions of a session.
    let contextSize: Int
    private var slots: [UInt64: Slot] = [:]
    private var clock = 0

    /// No sessions yet.
    ///
    /// - Parameters:
    ///   - executor: makes their sequences.
    ///   - contextSize: the maximum number of positions of each.
    init(executor: any Executor, contextSize: Int) {
        self.executor = executor
        self.contextSize = contextSize
    }

    /// The slot of a session that has one.
    subscript(id: UInt64) -> Slot? { slots[id] }

    /// Returns the slot of a session, which is used now.
    func use(_ session: Session) -> Slot {
        let slot = slots[session.id] ?? makeSlot(session)
        slots[session.id] = slot
        clock += 1
        slot.lastUse = clock
        return slot
    }

    private func makeSlot(_ session: Session) -> Slot {
        guard let executor else { preconditionFailure("an engine that was unloaded refuses what needs a session") }
        return Slot(executor.makeSequence(limit: contextSize), session)
    }

    /// Forgets a session.
    func remove(_ id: UInt64) { slots[id] = nil }

    /// Gives up what the draft model holds of all sessions.
    func releaseDrafts() { for slot in slots.values { slot.draft?.turnOff() } }

    /// Forgets all sessions, of an engine that is unloaded.
    func unload() {
        slots.removeAll()
        executor = nil
    }

    /// Gives up the state of the session that was not used for longest, of those that nothing is computed in.
    ///
    /// Its next generation begins from what the cache or the disk has of it, or from the first token.
    ///
    /// - Returns: false if there is none.
    func reclaim(rows: Int) -> Bool {
        let idle = slots.values.filter { !$0.isActive && $0.state.holdsMemory }
        guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return false }
        oldest.state.releaseMemory()
        oldest.session?.update(tokenCount: 0)
        return true
    }
}
