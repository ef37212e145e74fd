import Foundation
import LeapBase

/// The error of a batch that cannot be run, in one line that names the file, the line and what to do.
package struct BatchError: Error, LocalizedError, CustomStringConvertible, Sendable {
    package let description: String

    package init(_ description: String) { self.description = description }

    package var errorDescription: String? { description }

    /// Makes the error of a failed system call.
    init(_ error: FileSystemError) {
        switch error.number {
        case ENOSPC, EDQUOT, EFBIG:
            description =
                "\(error): free some space and run the same command again, which goes on where it stopped"
        default: description = error.description
        }
    }
}
