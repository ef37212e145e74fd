import LeapBase
import LeapChat
import LeapCore
import LeapJSON
import LeapModel

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
    /// Returns the place in the client's body of a field as the engine names it.
    var place: @Sendable (_ field: String) -> String = { $0 }

    /// Answers the questions.
    ///
    /// - Throws: ``APIError`` for media, and what the runner throws.
    func answer(_ request: ServerRequest, _ pool: ModelPool) async throws -> (decisions: Decisions, model: String) {
        let lease = try await request.lease(model, from: pool)
        try checkMedia(lease)
        let decisions: Decisions
        do {
            decisions = try await lease.runner.decide(questions, about: state, options: options)
        } catch let error as LeapGenerationPromptExceedContextLengthException {
            throw APIError(error, parameter: place("state"))
        } catch let error as LeapDecisionException where error.isOfRequest {
            let own = place(error.field)
            let isNamed = error.message.hasPrefix(error.field + ": ")
            throw APIError.invalid(
                isNamed ? own + String(error.message.dropFirst(error.field.count)) : error.message, own)
        }
        request.record?.read(tokens: Int64(decisions.inputTokenCount))
        return (decisions, lease.model.id)
    }

    /// Refuses media that the model does not read, as llama-server does: with 501.
    private func checkMedia(_ lease: ModelLease) throws(APIError) {
        guard !state.media.isEmpty else { return }
        let capabilities = options.usesReadout ? nil : lease.runner.decisionCapabilities
        for (part, place) in zip(state.media, mediaPlaces) {
            let (name, isRead) =
                part.medium == .audio
                ? ("a sound", capabilities?.readsSounds == true) : ("a picture", capabilities?.readsPictures == true)
            guard isRead else {
                var error = APIError.invalid(
                    "'\(place)' is \(name), and \(lease.model.id) has no projector by which it answers about such: leave it out, or load a model of the type lfm2-d1-omni with its projector",
                    place)
                error.status = 501
                throw error
            }
            guard let problem = lease.problem(of: part, .user) else { continue }
            throw .invalid("'\(place)' \(problem)", place, code: "unsupported_content")
        }
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
