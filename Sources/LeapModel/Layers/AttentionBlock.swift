/// Grouped-query attention with rotary positions.
package struct AttentionBlock: Sendable {
    /// The largest head that can be computed.
    package static let largestHead = 512

    /// Projections to `heads · headDimension` and twice `keyValueHeads · headDimension` outputs.
    package var query: Matrix
    /// nil where a layer before this one, which has the same ``cacheIndex``, keeps the keys and values that this one
    /// reads.
    package var key: Matrix?
    /// The projection of the values; nil where they are the keys as they were projected, or none are computed.
    package var value: Matrix?
    /// Projection of all heads back to the stream.
    package var output: Matrix
    /// Norms over each head of the queries and keys, before the rotation.
    package var queryNorm: RMSNorm?
    package var keyNorm: RMSNorm?
    /// A norm over each head of the values.
    package var valueNorm: RMSNorm?
    /// One row for each head, or one for each element of all heads.
    ///
    /// The product of a row with what the queries are made of is brought to 0...1 by a sigmoid, and multiplies what the
    /// head gathered, or that element of it; nil for 1.
    package var headGate: Matrix?
    package var heads: Int
    package var keyValueHeads: Int
    package var headDimension: Int
    /// The factor of the scores.
    package var scale: Float
    /// The number of positions back that a query sees, its own included; 0 is all.
    package var window = 0
    /// A Boolean value that tells whether the queries of a picture see the whole of it, those positions behind their
    /// own too.
    ///
    /// Such a picture has to be computed in one piece.
    package var seesWholeImages = false
    /// True if a query sees the positions before its own alone: their keys and values are another model's, which has not
    /// computed the query's own position.
    package var readsBehind = false
    /// The factors of queries at late positions; nil for 1.
    package var temperature: QueryTemperature?
    /// For each query head the score of a position whose value is zero, which all queries see.
    package var sinks: Vector?
    /// The number of positions that a query sees on each side of its own, where layers are not causal; nil is all.
    package var reach: Int?
    /// The stack's rotation to use; nil where the layer knows no positions.
    package var rope: Int?
    /// The rotation of the second half of each head, where ``rope`` is that of the first; nil where one is of all of
    /// it.
    package var secondRope: Int?
    /// The index, among the stack's attention layers with keys and values, of this layer or of the one whose it reads.
    package var cacheIndex = 0
    /// True if each head's rows in ``query`` are followed by as many for gates: what the head gathers is multiplied
    /// with their logistic function.
    package var hasGatesBehindQueries = false

    /// True if positions with tokens do not see the pictures and sounds in front of them, where layers are not causal.
    package var skipsMedia = false

    /// True if ``headGate`` has a row for each element of the heads, rather than one for each head.
    package var gatesElements: Bool { headGate.map { $0.rows != heads } ?? false }
}
