/// A layer of Mamba-2 (Dao and Gu 2024): a state space model whose states decay by one factor for each head and token.
///
/// Values, keys (B) and queries (C) come from one projection and a causal convolution of each channel for itself with
/// SiLU after it. For each token the state of a head decays, the value is written under the key, as much of it as the
/// time step says, and what the query reads is added to a part of the value, gated, normed in groups and projected
/// back.
package struct MambaBlock: Sendable {
    /// Projection to the gates of what is read, as many as values.
    package var gate: Matrix
    /// Projection to the values of all heads, and the keys and queries of all groups, one after the other.
    package var input: Matrix
    /// Projection to the time steps, one for each head.
    package var timeStep: Matrix
    /// Projection back to the stream.
    package var output: Matrix
    /// The filters, `[channels][taps]`, the last tap for the position itself.
    package var filters: Vector
    package var filterBias: Vector?
    /// The biases of the time steps, `[heads]`.
    package var timeBias: Vector
    /// The logarithm of the decay over a time step of 1, `[heads]`; negative.
    package var decay: Vector
    /// The part of its value that each head adds to what it reads, `[heads]`.
    package var skip: Vector
    /// The norm of what is read and gated, over each group of heads that share a key, with the weights of all groups;
    /// nil without one.
    package var norm: RMSNorm?
    package var recurrence: RecurrenceShape
    /// The index of this layer among the stack's layers with a state of fixed size.
    package var cacheIndex = 0
}
