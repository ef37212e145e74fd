/// The room that a device with memory of its own has for the state of sequences.
package enum DevicePages {
    /// Pages, of kept prefixes and other sequences, for each page that one sequence of the context can have.
    package static let sequences = 2

    /// Bytes for the states that recurrent layers keep of sequences, and the most sequences.
    private static let stateByteCount = 256 << 20
    private static let stateCount = 16

    /// The sequences whose states have room.
    ///
    /// - Parameter byteCount: what one sequence takes, its state in two places; above 0.
    package static func states(byteCount: Int) -> Int { max(sequences, min(stateByteCount / byteCount, stateCount)) }
}
