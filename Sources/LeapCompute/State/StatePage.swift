/// The state of ``length`` consecutive positions, for all layers; what is in it, only what made it knows.
///
/// Pages are shared between sequences by reference. Positions that a sequence holds are never written again through a
/// shared page: a sequence that wants to write into one takes a copy first.
package final class StatePage {
    /// Positions of a page.
    package static let length = 64

    /// Bytes of the page.
    package let byteCount: Int
    /// The object that holds the values, known to its maker alone.
    package let contents: AnyObject

    package init(byteCount: Int, contents: AnyObject) {
        self.byteCount = byteCount
        self.contents = contents
    }
}

/// The state beside a page that a sequence needs to go on from a place within it; where layers keep something of the
/// sequence as a whole, from any place.
///
/// Nothing is written into it once it is shared.
package final class StateTail {
    /// Bytes that it takes.
    package let byteCount: Int
    /// The object that holds the values, known to its maker alone.
    package let contents: AnyObject

    package init(byteCount: Int, contents: AnyObject) {
        self.byteCount = byteCount
        self.contents = contents
    }
}
