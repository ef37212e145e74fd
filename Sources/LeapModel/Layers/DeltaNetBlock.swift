/// A layer of Gated DeltaNet (Yang, Kautz and Hatamizadeh 2024): linear attention with a state of fixed size in place
/// of keys and values.
///
/// Queries, keys and values come from one projection and a causal convolution of each channel for itself with SiLU
/// after it; queries and keys are brought to length 1. For each token the state of a head decays, what it gives for
/// the key is compared with the value, and a part of the difference is written. What the query reads is normed, gated
/// and projected back.
package struct DeltaNetBlock: Sendable {
    /// The number that is added to the sum of squares by whose root queries and keys are divided.
    package static let lengthEpsilon: Float = 1e-6

    /// Projection to the queries and keys of all key heads, and the values of all value heads, one after the other;
    /// without ``gate``, to these and the gates, for one key head after the other.
    package var input: Matrix
    /// Projection to the gates of what is read, as many as values; nil where ``input`` has them.
    package var gate: Matrix?
    /// Projection to how much of a difference is written, one for each value head, before the logistic function;
    /// without ``timeStep``, to these and the time steps, for one key head after the other.
    package var beta: Matrix
    /// Projection to the time steps, one for each value head; nil where ``beta`` has them.
    package var timeStep: Matrix?
    /// Projection back to the stream.
    package var output: Matrix
    /// The filters, `[channels][taps]`, the last tap for the position itself.
    package var filters: Vector
    /// The biases of the time steps, `[valueHeads]`.
    package var timeBias: Vector
    /// The logarithm of the decay over a time step of 1, `[valueHeads]`; negative.
    package var decay: Vector
    /// The norm of what each value head reads.
    package var norm: RMSNorm
    package var recurrence: RecurrenceShape
    /// The index of this layer among the stack's layers with a state of fixed size.
    package var cacheIndex = 0

    /// All projections that there are.
    package var matrices: [Matrix] { [input, gate, beta, timeStep, output].compactMap(\.self) }
}
