package import Foundation
import LeapBase

/// The failure of an exchange that has no answer, or no whole one.
package struct HTTPFailure: CodedError {
    /// The kind of a failure.
    package enum Code: String, Sendable {
        /// The connection failed.
        case network
        /// The server sent too little for too long.
        case stalled
        /// The server's answer contradicts itself or the request.
        case protocolViolation
        /// The address is none that the request may go to.
        case addressRefused
    }

    package let code: Code
    /// A description of the failure, in one line that begins with the address.
    package let message: String
    package let url: URL?
    /// The error underneath.
    package let cause: (any Error)?

    package init(_ code: Code, _ message: String, url: URL?, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.url = url
        self.cause = cause
    }

    /// The address.
    package var field: String? { url?.shown }
}
