import LeapTransfers

extension LeapModelLoadingException {
    package convenience init(_ error: DownloadError) {
        self.init(error, path: error.field)
    }

    /// Runs `body` and turns what downloads throw into what the API promises; cancellation stays what it is.
    package static func mapping<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DownloadError {
            throw LeapModelLoadingException(error)
        }
    }

    /// The same for what waits.
    package static func mapping<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch let error as DownloadError {
            throw LeapModelLoadingException(error)
        }
    }
}
