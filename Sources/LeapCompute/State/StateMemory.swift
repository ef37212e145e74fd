package import LeapModel

/// Makes, copies and reads the pages of an executor's sequences: caches and files deal with pages through it alone.
///
/// Safe from any thread.
package protocol StateMemory: Sendable {
    /// Element type of keys and values.
    var keyValueType: KeyValueType { get }
    /// Names the arithmetic that fills pages: the same tokens give the same bits where it is the same.
    var arithmetic: String { get }
    /// Bytes of a page.
    var pageByteCount: Int { get }
    /// The number of positions back at which a layer looks at inputs that only the latest positions have; 0 where none
    /// does, and a sequence can be cut anywhere.
    var reach: Int { get }
    /// Bytes of what layers keep of a sequence as a whole, whatever its length; 0 where none does.
    ///
    /// Such a state is there for the latest position and where a copy was kept: a sequence can be cut to these places
    /// only, and goes on from nowhere else, not even from the end of a page.
    var recurrentByteCount: Int { get }
    /// Bytes of what a sequence needs to go on from within a page, or from anywhere where layers keep something of it
    /// as a whole, for some positions.
    func tailByteCount(positions: Int) -> Int

    /// An empty page.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func makePage() throws(EngineError) -> StatePage
    /// A page with the same contents.
    func makeCopy(of page: StatePage) throws(EngineError) -> StatePage
    /// An empty tail for some positions.
    func makeTail(positions: Int) throws(EngineError) -> StateTail
    /// Lets the bytes of a page be read or written.
    func withBytes<R>(of page: StatePage, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R
    /// Lets the bytes of a tail be read or written.
    func withBytes<R>(of tail: StateTail, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R
}

extension StateMemory {
    /// True if sequences can be cut only where their state was kept.
    package var isRecurrent: Bool { recurrentByteCount > 0 }

    /// Positions from one place where the state of a long sequence is kept to the next: as many pages as take at least
    /// its memory.
    package var checkpointInterval: Int {
        var pages = 1
        while pages * pageByteCount < recurrentByteCount { pages *= 2 }
        return pages * StatePage.length
    }
}
