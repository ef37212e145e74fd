/// The operation that a request asks of a model, named as in OpenTelemetry's conventions for generative AI where these
/// have a name.
enum ModelOperation: String, Sendable {
    case chat
    case textCompletion = "text_completion"
    case embeddings
    // The conventions have no words for these.
    case rerank, decisions, transcription, translation, speech

    /// The operation of a route; nil for routes that ask no model for anything.
    init?(method: String, route: String) {
        guard method == "POST", let operation = Self.routes[route] else { return nil }
        self = operation
    }

    private static let routes: [String: ModelOperation] = [
        "/v1/chat/completions": .chat, "/v1/responses": .chat, "/v1/messages": .chat, "/api/chat": .chat,
        "/v1/completions": .textCompletion, "/api/generate": .textCompletion,
        "/v1/embeddings": .embeddings, "/v1/multi-vector": .embeddings, "/api/embed": .embeddings,
        "/api/embeddings": .embeddings,
        "/v1/rerank": .rerank, ErrorShape.systemOnePath: .decisions, "/v1/decisions": .decisions,
        "/v1/audio/transcriptions": .transcription,
        "/v1/audio/translations": .translation, "/v1/audio/speech": .speech,
    ]
}
