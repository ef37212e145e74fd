import LeapTransfers

extension APIError {
    /// Makes the answer to a request whose download failed.
    init(_ error: DownloadError) {
        switch error.code {
        case .invalidName, .invalidAddress: self = .invalid(error.message, "model")
        case .notFound, .noSuchQuantization, .notAModel: self = .notFound(error.message, code: "model_not_found")
        case .insufficientSpace:
            self = APIError.failed(507, error.message, code: "insufficient_space")
        case .fileSystem, .inUse: self = APIError.failed(500, error.message)
        // The rest is what another server did.
        default: self = APIError.failed(502, error.message, code: error.code.rawValue)
        }
    }
}
