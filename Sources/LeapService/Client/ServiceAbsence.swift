import LeapBase

/// The reason why there is no connection to the model service.
package struct ServiceAbsence: CodedError {
    /// The kinds of reason.
    package enum Code: String, Sendable {
        /// There is no socket, or one that a dead process left.
        case noService
        /// The socket cannot be used.
        case unusable
        /// Something listens and has said nothing for as long as was waited.
        case silent
        /// The process that listens cannot be trusted, or speaks another language.
        case refused
    }

    package let code: Code
    package let message: String
    /// The socket.
    package let field: String?

    /// There is no service at a path.
    package static func noService(path: String) -> Self {
        Self(
            code: .noService, message: "no model service answers at \(ShownText.of(path, limit: 4096))", field: path)
    }
    /// The socket cannot be used.
    static func unusable(_ error: FileSystemError) -> Self {
        Self(code: .unusable, message: "the model service cannot be reached: \(error)", field: error.path)
    }
    /// The service at a path says nothing.
    static func silent(path: String) -> Self {
        Self(
            code: .silent,
            message: "the model service at \(ShownText.of(path, limit: 4096)) does not answer: it is busy, or stopped",
            field: path)
    }
    /// The service at a path is another one than this app needs.
    static func refused(_ reason: String, path: String) -> Self {
        Self(code: .refused, message: "the model service cannot be used: \(reason)", field: path)
    }
}
