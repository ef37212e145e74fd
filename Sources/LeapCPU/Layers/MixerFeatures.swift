import LeapCompute

/// The values that the first half of a mixer hands to the second, of each row of a batch.
struct MixerFeatures {
    /// Queries, or what a convolution made.
    var rows: Rows
    /// The factors of each head of an attention block, or of each of its elements, before their sigmoid,
    /// `[rows][heads]` or `[rows][heads · headDimension]`; nil without gates.
    var gates: Rows?
    /// The values that the second of two mixers read from its states; nil where there is one alone.
    var read: Rows?

    /// The scratch memory that an attention block's lie in.
    static let attention: [Workspace.Purpose] = [.query, .headGates]
    /// The scratch memory that those of any mixer lie in.
    static let all = attention + [.mixed, .outputGates]

    /// Moves some of the rows to the front.
    ///
    /// - Parameter kept: their indices in ascending order.
    func compacted(to kept: [Int]) -> MixerFeatures {
        MixerFeatures(
            rows: rows.compacted(to: kept), gates: gates?.compacted(to: kept), read: read?.compacted(to: kept))
    }
}
