/// The shape of a layer's state of a sequence as a whole, in place of keys and values of each position: a matrix for
/// each value head, which every token changes, and the latest inputs of the convolution in front of it.
package struct RecurrenceShape: Sendable, Hashable {
    /// The longest filters that can be computed.
    package static let maxTaps = 8
    /// The longest keys that can be computed.
    package static let longestKey = 512

    /// Heads of keys and queries.
    package let keyHeads: Int
    /// A multiple of the key heads.
    package let valueHeads: Int
    /// Elements of a key: rows of a state.
    package let keyLength: Int
    /// Elements of a value: columns of a state.
    package let valueLength: Int
    /// Positions that the convolution sees, its own included.
    package let taps: Int
    /// The form, one of two.
    package let form: Form
    /// True if neighbouring value heads share a key head; otherwise value head j has key head j modulo their number.
    package let isGrouped: Bool

    /// A form of recurrence: the values that are written, and the order of the convolution's channels.
    package enum Form: Sendable, Hashable {
        /// Gated DeltaNet: what the state has for a key is subtracted from the value; queries, keys, values.
        case deltaNet
        /// Mamba-2, whose heads are grouped: values are written as they are; values, keys, queries.
        case mamba
    }

    /// - Parameter isGrouped: counts for Gated DeltaNet only.
    package init(
        keyHeads: Int, valueHeads: Int, keyLength: Int, valueLength: Int, taps: Int, form: Form,
        isGrouped: Bool = false
    ) {
        (self.keyHeads, self.valueHeads) = (keyHeads, valueHeads)
        (self.keyLength, self.valueLength) = (keyLength, valueLength)
        (self.taps, self.form) = (taps, form)
        self.isGrouped = isGrouped || form == .mamba
    }

    /// Value heads that share a key head.
    package var valueHeadsPerKey: Int { valueHeads / keyHeads }

    /// Elements of a token's keys, or of its queries.
    private var keyCount: Int { keyHeads * keyLength }
    /// Elements of a token's values.
    package var valueCount: Int { valueHeads * valueLength }
    /// Channels of the convolution.
    package var channels: Int { 2 * keyCount + valueCount }
    /// Elements of the states of all heads.
    package var stateCount: Int { keyLength * valueCount }

    /// The index of the first channel of queries.
    package var queryStart: Int { form == .deltaNet ? 0 : valueCount + keyCount }
    /// The index of the first channel of keys.
    package var keyStart: Int { form == .deltaNet ? keyCount : valueCount }
    /// The index of the first channel of values.
    package var valueStart: Int { form == .deltaNet ? 2 * keyCount : 0 }
}
