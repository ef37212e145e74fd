import LeapModel
package import LeapTokenizer

/// The place of a position for rotations that tell rows and columns of images apart; for text all three numbers are the
/// same.
package struct RotaryPosition: Sendable, Equatable {
    package var time: Int32
    package var row: Int32
    package var column: Int32

    package init(time: Int32, row: Int32, column: Int32) {
        (self.time, self.row, self.column) = (time, row, column)
    }

    /// A position of text.
    package init(_ position: Int) {
        let position = Int32(clamping: position)
        self.init(time: position, row: position, column: position)
    }
}

/// Follows a sequence's tokens and says where each stands for such rotations (Qwen2-VL, arXiv:2409.12191).
///
/// A picture of n rows and m columns that begins at p stands at p in time, and at p + row and p + column; what follows
/// goes on at p + max(n, m). So a sequence has fewer positions than tokens.
package struct RotaryTrack: Sendable, Equatable {
    /// The number at which text goes on.
    private var next: Int32 = 0
    /// The grid in progress.
    private var start: Int32 = 0
    private var row: Int32 = 0
    private var column: Int32 = 0
    private var isInGrid = false
    /// True if any tokens so far are of a grid.
    package private(set) var hasGrids = false

    package init() {}

    /// The track behind so many tokens, none of which is of a grid.
    package init(textLength: Int) { next = Int32(clamping: textLength) }

    /// The track behind some tokens.
    package init(_ tokens: some Sequence<TokenID>) {
        for token in tokens { _ = advance(token) }
    }

    /// Goes on by a token.
    ///
    /// - Returns: where it stands.
    package mutating func advance(_ token: TokenID) -> RotaryPosition {
        switch (PlaceToken.step(of: token), isInGrid) {
        case (.grid, _):
            (start, row, column) = (next, 0, 0)
            (isInGrid, hasGrids) = (true, true)
        case (.row, true): (row, column) = (row + 1, 0)
        case (.column, true): column += 1
        default:
            isInGrid = false
            next += 1
            return RotaryPosition(Int(next - 1))
        }
        next = max(next, start + max(row, column) + 1)
        return RotaryPosition(time: start, row: start + row, column: start + column)
    }
}
