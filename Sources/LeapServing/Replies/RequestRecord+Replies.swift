import LeapChat

extension RequestRecord {
    /// Records replies that are whole.
    func finish(_ parts: [ReplyParts]) { finish(parts.map(\.finishReason), parts.map { $0.completion?.stats }) }

    /// Ends the record of a reply within a connection.
    ///
    /// - Parameter isCancelled: true where the reply was stopped before its end.
    func end(with result: Result<ReplyParts, APIError>, isCancelled: Bool = false) {
        switch result {
        case .success(let parts):
            if parts.completion != nil { finish([parts]) }
            end(isCancelled ? CancellationError() : nil)
        case .failure(let error): end(error)
        }
    }
}
