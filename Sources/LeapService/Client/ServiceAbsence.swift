import LeapBase

/// The reason why there is no connection to the model service.
package enum ServiceAbsence: Error, Sendable, CustomStringConvertible {
    /// There is no socket, or one that a dead process left.
    case noService(path: String)
    /// The socket cannot be used.
    case unusable(SocketError)
    /// Something listens and has said nothing for as long as was waited.
    case silent(path: String)
    /// The process that listens cannot be trusted, or speaks another language.
    case refused(String)

    /// A description of what there is in place of a service.
    package var description: String {
        switch self {
        case .noService(let path): "no model service answers at \(ShownText.of(path, limit: 4096))"
        case .unusable(let error): "the model service cannot be reached: \(error)"
        case .silent(let path):
            "the model service at \(ShownText.of(path, limit: 4096)) does not answer: it is busy, or stopped"
        case .refused(let reason): "the model service cannot be used: \(reason)"
        }
    }

    /// True if it is worth telling: no service is the usual state of most machines.
    var isNews: Bool { if case .noService = self { false } else { true } }
}
