/// How much state of sequences a device with memory of its own is given room for.
package enum DevicePages {
    /// Pages, of kept prefixes and other sequences, for each page that one sequence of the context can have.
    package static let sequences = 2
}
