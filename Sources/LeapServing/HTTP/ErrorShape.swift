import LeapJSON

/// The format in which a protocol writes errors.
enum ErrorShape: Sendable {
    case openAI, ollama, anthropic, systemOne

    /// The path of TypeSafe's protocol.
    static let systemOnePath = "/v1/systemone"

    /// Makes the format of the protocol that a path belongs to.
    init(path: String) {
        if path.hasPrefix("/api/") {
            self = .ollama
        } else if path == "/v1/messages" || path.hasPrefix("/v1/messages/") {
            self = .anthropic
        } else if path == Self.systemOnePath {
            self = .systemOne
        } else {
            self = .openAI
        }
    }

    /// The error as a document.
    func document(of error: APIError) -> JSONValue {
        switch self {
        case .openAI: error.json
        case .systemOne: SystemOneError.document(of: error)
        case .ollama: .object(["error": .string(message(of: error))])
        case .anthropic:
            .object([
                "type": "error",
                "error": .object(
                    JSONObject(
                        [("type", .string(Self.type(of: error))), ("message", .string(message(of: error)))]
                            + (error.details.map { [("details", .object($0))] } ?? []))),
            ])
        }
    }

    private func message(of error: APIError) -> String { error.overflow?.message(in: self) ?? error.message }

    /// Anthropic's class of an error (https://docs.anthropic.com/en/api/errors).
    private static func type(of error: APIError) -> String {
        switch error.status {
        case 401: "authentication_error"
        case 403: "permission_error"
        case 404: "not_found_error"
        case 413: "request_too_large"
        case 429: "rate_limit_error"
        case 503, 529: "overloaded_error"
        case 500...: "api_error"
        default: "invalid_request_error"
        }
    }
}
