import Hummingbird
import LeapSDK

/// The question of a client.
struct Question: Decodable, Sendable {
    let question: String
}

/// The answer that the client gets.
struct Answer: ResponseCodable, Sendable {
    let answer: String
    let tokens: Int64
}

/// A reply that has a form of its own.
struct City: GeneratableType, ResponseCodable, Sendable {
    static let typeDescription = "Facts about a city"
    static func jsonSchema() -> String {
        #"""
        {"type": "object", "required": ["name", "country", "isCapital"], "additionalProperties": false, "properties": {
            "name": {"type": "string", "maxLength": 24}, "country": {"type": "string", "maxLength": 24},
            "isCapital": {"type": "boolean"}}}
        """#
    }
    let name: String
    let country: String
    let isCapital: Bool
}

/// One model for all requests; each request has a conversation of its own, and replies are generated side by side.
struct Assistant: Sendable {
    let runner: any ModelRunner
    private static let options = GenerationOptions().with(temperature: 0).with(maxTokens: 200)

    /// Loads a model that answers two requests at a time, keeps eight waiting and refuses more.
    init(model: URL) async throws {
        runner = try await Leap.load(
            url: model,
            options: LiquidInferenceEngineOptions(
                bundlePath: model.path, extras: #"{"maxActiveGenerations": 2, "maxQueuedGenerations": 8}"#))
    }

    /// The pieces of a reply; whoever stops reading them ends its generation.
    func pieces(for question: Question) -> AsyncThrowingStream<MessageResponse, any Error> {
        runner.createConversation(systemPrompt: "You are a helpful assistant.")
            .generateResponse(userTextMessage: question.question, generationOptions: Self.options)
    }

    /// The whole reply.
    func answer(to question: Question) async throws -> Answer {
        for try await response in pieces(for: question) {
            if case .complete(let completion) = response {
                return Answer(answer: completion.message.text, tokens: completion.stats?.completionTokens ?? 0)
            }
        }
        throw CancellationError()
    }

    /// A reply of the form of a type.
    func city(_ question: Question) async throws -> City {
        try await runner.createConversation().generate(
            City.self, userTextMessage: question.question,
            generationOptions: Self.options.with(injectSchemaIntoPrompt: false))
    }
}

/// Errors of the model as a client is told of them.
struct ModelErrors<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as LeapGenerationQueueFullException {
            throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: error.localizedDescription)
        } catch let error as LeapGenerationPromptExceedContextLengthException {
            throw HTTPError(.contentTooLarge, message: error.localizedDescription)
        } catch let error as LeapException {
            context.logger.error("\(error)")
            throw HTTPError(.internalServerError, message: "The model did not answer.")
        }
    }
}
