import Foundation

/// A failure of a command, in one line that says what was found and what to do.
struct CommandError: LocalizedError, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    var errorDescription: String? { description }
}
