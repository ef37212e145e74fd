import LeapBase
import LeapChat
import LeapCore
import LeapJSON

/// The questions of a request about one state, in whatever protocol they came.
struct DecisionOrder: Sendable {
    /// The model's name; nil where the client names none.
    var model: String?
    var questions: [Question]
    var state: DecisionState
    /// The place in the client's body of each picture and sound.
    var mediaPlaces: [String] = []
    var options = DecisionOptions()
    /// The places in the client's body of what has no effect.
    var ignored: [String] = []

    /// Answers the questions.
    ///
    /// - Throws: ``APIError`` for media, and what the runner throws.
    func answer(_ request: ServerRequest, _ pool: ModelPool) async throws -> (decisions: Decisions, model: String) {
        let lease = try await request.lease(model, from: pool)
        try refuseMedia()
        let decisions: Decisions
        do {
            decisions = try await lease.runner.decide(questions, about: state, options: options)
        } catch let error as LeapGenerationPromptExceedContextLengthException {
            throw APIError(error, parameter: "state")
        }
        request.record?.read(tokens: Int64(decisions.inputTokenCount))
        return (decisions, lease.model.id)
    }

    /// Refuses media, which no model is given for decisions yet, as llama-server does: with 501.
    private func refuseMedia() throws(APIError) {
        guard let place = mediaPlaces.first else { return }
        var error = APIError.invalid(
            "'\(place)' is a picture or a sound, and no decision model here reads media yet: leave it out", place)
        error.status = 501
        throw error
    }

    /// Reads the members that other servers do not have: `temperature`, `rotations` and `readout`.
    static func options(_ fields: inout RequestFields) throws(APIError) -> DecisionOptions {
        var options = DecisionOptions()
        if let temperature = try fields.number("temperature", in: 0...1e6) {
            guard temperature > 0 else {
                throw .invalid("'temperature' is \(temperature); expected more than 0", "temperature")
            }
            options.temperature = temperature
        }
        options.rotations = try fields.integer("rotations", in: 1...255)
        options.usesReadout = try fields.bool("readout") ?? false
        return options
    }
}

extension ServerReply {
    /// Names the parts of prompts that were cut, and the fields without effect, in headers.
    func noting(_ decisions: Decisions, ignored: [String]) -> ServerReply {
        let cuts = decisions.cuts.prefix(16).map {
            "\(HeaderText.safe($0.field)) to \($0.keptTokens) of \($0.totalTokens) tokens"
        }
        return warning(of: ignored).noting(
            cuts.isEmpty ? nil : "cut to the context: " + cuts.joined(separator: ", "))
    }
}
