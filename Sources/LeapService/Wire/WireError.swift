import LeapCore
import LeapEngine
import LeapModel
import LeapTransfers

/// An error on its way to the app: enough of it to be thrown there as the same type.
package struct WireError: Codable, Sendable, Hashable {
    private enum Kind: String, Codable {
        case engine, service, loading, promptTooLong, tokenBudget, schema, memory, queueFull, generation
        case cancelled, other
    }

    private var kind: Kind
    package var message: String
    private var code: String?
    private var field: String?
    private var needed: Int?
    private var available: Int?
    /// The code of the download that failed.
    private var download: String?
    private var isTokenLimit: Bool?

    package init(_ error: any Error) {
        message = "\(error)"
        kind = .other
        switch error {
        case is CancellationError: kind = .cancelled
        case let error as EngineError:
            kind = .engine
            (code, field, needed, available) = (error.code.rawValue, error.field, error.needed, error.available)
        case let error as LeapServiceException:
            kind = .service
            code = error.reason.rawValue
        case let error as LeapModelLoadingException:
            kind = .loading
            field = error.path
            download = (error.cause as? DownloadError)?.code.rawValue
        case let error as LeapGenerationPromptExceedContextLengthException:
            kind = .promptTooLong
            (needed, available) = (error.neededTokens, error.availableTokens)
        case let error as LeapGenerationTokenBudgetException:
            kind = .tokenBudget
            (needed, available) = (error.neededTokens, error.availableTokens)
            switch error.limit {
            case .maxTokens(let count): (isTokenLimit, code) = (true, "\(count)")
            case .contextSize(let count): (isTokenLimit, code) = (false, "\(count)")
            }
        case let error as LeapGeneratableSchematizationException:
            kind = .schema
            field = error.pointer
        case let error as LeapGenerationMemoryException:
            kind = .memory
            (needed, available) = (error.neededBytes, error.availableBytes)
        case is LeapGenerationQueueFullException: kind = .queueFull
        case is LeapException: kind = .generation
        default: break
        }
    }

    /// The error as it is thrown in the app.
    package var error: any Error {
        switch kind {
        case .engine:
            EngineError(
                EngineError.Code(rawValue: code ?? ""), message, field: field, needed: needed, available: available)
        case .service:
            LeapServiceException(LeapServiceException.Reason(rawValue: code ?? ""), message: message)
        case .loading:
            LeapModelLoadingException(
                message: message, path: field,
                cause: download.map { DownloadError(DownloadError.Code(rawValue: $0), message) })
        case .promptTooLong:
            LeapGenerationPromptExceedContextLengthException(
                neededTokens: needed ?? 0, availableTokens: available ?? 0)
        case .tokenBudget:
            LeapGenerationTokenBudgetException(
                neededTokens: needed ?? 0, availableTokens: available ?? 0,
                limit: isTokenLimit == true
                    ? .maxTokens(Int(code ?? "") ?? 0) : .contextSize(Int(code ?? "") ?? 0))
        case .schema: LeapGeneratableSchematizationException(message: message, pointer: field)
        case .memory: LeapGenerationMemoryException(message: message, neededBytes: needed, availableBytes: available)
        case .queueFull: LeapGenerationQueueFullException(message: message)
        case .generation, .other: LeapGenerationException(message)
        case .cancelled: CancellationError()
        }
    }
}
