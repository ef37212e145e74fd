import LeapJSON

/// `POST /v1/audio/translations`, which is refused: the models that are read transcribe speech in its own language
/// only.
struct Translations: Sendable {
    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        // A compressed sound is more work than its bytes tell.
        let asked = try await LongWork.run(on: .max) {
            try TranscriptionRequest(request.body.bytes, contentType: request.headers["content-type"])
        }
        let model = try request.catalog(of: pool).find(asked.model)
        throw APIError.invalid(
            "the model '\(model.id)' does not translate speech: use /v1/audio/transcriptions, which writes the text in the language of the speech, and have any text model translate it",
            "model", code: "unsupported_task")
    }
}
