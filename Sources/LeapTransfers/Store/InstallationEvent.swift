/// An event of an installation that others may be told of.
package struct InstallationEvent: Sendable {
    package enum Kind: Sendable {
        /// It begins.
        case began
        /// The model is whole on disk.
        case installed
        /// It was stopped; what was fetched stays.
        case stopped
        /// It failed.
        case failed(any Error)
    }

    /// The model that is installed.
    package let reference: ModelReference
    package let kind: Kind
}
