package import Foundation

/// The failure of an exchange that has no answer, or no whole one.
package struct HTTPFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    package enum Kind: Sendable, Hashable {
        /// The connection failed.
        case network
        /// The server sent too little for too long.
        case stalled
        /// The server's answer contradicts itself or the request.
        case protocolViolation
        /// The address is none that the request may go to.
        case addressRefused
    }

    package let kind: Kind
    /// A description of the failure, in one line that begins with the address.
    package let message: String
    package let url: URL?
    /// The error underneath.
    package let cause: (any Error)?

    package init(_ kind: Kind, _ message: String, url: URL?, cause: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.url = url
        self.cause = cause
    }

    package var description: String { message }
}
