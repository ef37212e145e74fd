import LeapTransfers

extension APIError {
    /// What a failed download means to a client.
    init(_ error: DownloadError) {
        switch error.code {
        case .invalidName, .invalidAddress: self = .invalid(error.message, "model")
        case .notFound, .noSuchQuantization, .notAModel: self = .notFound(error.message, code: "model_not_found")
        case .insufficientSpace:
            self.init(status: 507, type: "server_error", message: error.message, code: "insufficient_space")
        case .fileSystem, .inUse: self.init(status: 500, type: "server_error", message: error.message)
        // The rest is what another server did.
        default: self.init(status: 502, type: "server_error", message: error.message, code: error.code.rawValue)
        }
    }
}
