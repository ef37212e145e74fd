import Foundation

/// A failure of a command, in one line that says what was found and what to do.
package struct CommandError: LocalizedError, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    package var errorDescription: String? { description }
}
