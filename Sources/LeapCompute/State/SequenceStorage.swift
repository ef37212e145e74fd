package import LeapModel

/// The part of a sequence's state that an executor keeps beside the pages.
package protocol SequenceStorage: AnyObject {
    /// Takes the memory that it needs for so many pages, and for recent inputs where they are to be kept.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func reserve(pageCount: Int, keepingInputs: Bool) throws(EngineError)

    /// Bytes that it would take to go on to so many pages.
    func reserveByteCount(pageCount: Int) -> Int

    /// Takes note of a page that is new at an index.
    func didSet(_ page: StatePage, at index: Int)

    /// True if memory beside the pages is taken.
    var holdsMemory: Bool { get }

    /// Gives memory beside the pages back.
    func releaseMemory()

    /// Prepares for a pass in which layers write what they keep of the whole sequence.
    ///
    /// - Parameter checkpoints: the places within the pass where it is written to a tail too, in ascending order.
    func beginPass(checkpoints: [StateCheckpoint])

    /// Takes what layers wrote of the whole sequence in the latest pass for its state.
    func commitPass()

    /// Goes back to what layers had of the whole sequence before the latest pass.
    func revertPass()

    /// Returns whether what layers keep of the whole sequence can be computed again behind the first `count` positions of
    /// the latest pass.
    func canReplay(_ count: Int) -> Bool

    /// Goes on from what layers keep of the whole sequence behind the first `count` positions of the latest pass.
    func replay(_ count: Int)

    /// Goes back to what layers have of an empty sequence.
    func clearState()

    /// Returns what a sequence needs to go on from its end within a page; nil if it needs nothing, if not all of it is
    /// kept, or if there is no memory.
    func makeTail(of sequence: SequenceState) -> StateTail?

    /// Puts back what ``makeTail(of:)`` took.
    ///
    /// What lies in pages is there already, and pages may be shared: they are not written to.
    func restore(_ tail: StateTail, of sequence: SequenceState)
}

extension SequenceStorage {
    /// Never: no inputs are kept.
    package func canReplay(_ count: Int) -> Bool { false }

    /// Nothing.
    package func replay(_ count: Int) {}
}
