/// A rule that isolates runs of characters of one set, such as `\p{N}{1,3}` or `\s?\p{P}+`; what lies between the runs
/// is a piece too.
struct RunRule: Sendable, Equatable {
    /// The character that may stand before the run, as part of it.
    enum Lead: Sendable {
        /// Nothing.
        case none
        /// One space: ` ?`
        case space
        /// One whitespace character: `\s?`
        case whitespace
    }

    var set: CharacterSetRule
    var lead: Lead = .none
    /// The fewest characters that make a run.
    var minimum = 1
    /// The most characters of one piece.
    var maximum = Int.max

    /// Returns the end of the piece at `start`.
    @inline(__always)
    func end(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        if lead != .none {
            let (isLead, next) = isLead(text, start)
            if isLead, next < limit, let end = runEnd(text, next, limit) { return end }
        }
        return runEnd(text, start, limit) ?? gapEnd(text, start, limit)
    }

    @inline(__always)
    private func isLead(_ text: ScalarText, _ position: Int) -> (Bool, next: Int) {
        if lead == .space { return (text[position] == UInt8(ascii: " "), position + 1) }
        let (flags, next) = text.read(position)
        return (flags & CharacterClass.whitespace != 0, next)
    }

    /// Returns the end of the run at `start`; nil where there is none.
    @inline(__always)
    private func runEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int? {
        var position = start
        var count = 0
        while position < limit, count < maximum {
            let (isMember, next) = set.contains(text, position)
            if !isMember { break }
            position = next
            count += 1
        }
        return count >= minimum ? position : nil
    }

    /// Returns the start of the next run, its lead included; no run starts at `start`.
    @inline(__always)
    private func gapEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = start
        // Where the members just passed begin, too few to be a run so far, and the character before them.
        var first = start
        var count = 0
        var before = start
        while position < limit {
            let (isMember, next) = set.contains(text, position)
            if isMember {
                if count == 0 { first = position }
                count += 1
                if count == minimum, first > start {
                    return lead != .none && isLead(text, before).0 ? before : first
                }
            } else {
                count = 0
                before = position
            }
            position = next
        }
        return limit
    }
}
