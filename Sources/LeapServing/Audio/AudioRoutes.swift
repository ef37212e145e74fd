extension RouteGroup {
    /// Speech to text, and text to speech.
    static func audio(_ pool: ModelPool) -> RouteGroup {
        RouteGroup([
            "/v1/audio/transcriptions": ["POST": { try await Transcriptions(pool: pool).reply(to: $0) }],
            "/v1/audio/translations": ["POST": { try await Translations(pool: pool).reply(to: $0) }],
            "/v1/audio/speech": ["POST": { try await Speech(pool: pool).reply(to: $0) }],
        ])
    }
}
