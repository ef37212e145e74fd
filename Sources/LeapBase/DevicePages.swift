/// The room that a device with memory of its own has for the state of sequences.
package enum DevicePages {
    /// Pages, of kept prefixes and other sequences, for each page that one sequence of the context can have.
    package static let sequences = 2
}
