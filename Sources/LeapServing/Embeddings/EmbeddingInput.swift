import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The texts of a request for embeddings, and their vectors.
struct EmbeddingInput: Sendable {
    /// The maximum number of texts in a request, OpenAI's own.
    static let maxTexts = 2048

    let texts: [RawPrompt]

    init(texts: [String]) { self.texts = texts.map { .text($0) } }

    /// Reads `input`: a text or an array of texts, or of the tokens of texts.
    ///
    /// - Throws: ``APIError`` for anything else.
    init(_ fields: inout RequestFields) throws(APIError) {
        let value = fields.value("input")
        guard let texts = RawPrompt.several(in: value), !texts.isEmpty else {
            throw .invalid(
                "'input' is \(value?.kind ?? "missing"); expected a string or an array of strings, not empty, or tokens in their place",
                "input")
        }
        guard texts.count <= Self.maxTexts else {
            throw .invalid("there are \(texts.count) texts; at most \(Self.maxTexts) are taken", "input")
        }
        self.texts = texts
    }

    /// The vectors of the texts, in their order.
    ///
    /// - Parameter dimensions: how many numbers a vector has; nil for as many as the model's have. Fewer are the first
    ///   ones, brought to length 1 again, as models with nested vectors (Matryoshka) are trained for it.
    /// - Throws: ``APIError`` for a text that does not fit, or more dimensions than the model has.
    func vectors(
        _ lease: ModelLease, options: EmbeddingOptions, dimensions: Int?
    ) async throws -> [TextEmbedding] {
        let embeddings: [TextEmbedding]
        do {
            embeddings = try await lease.runner.embed(texts, options: options)
        } catch let error as LeapGenerationPromptExceedContextLengthException {
            throw APIError(error, parameter: "input")
        }
        withExtendedLifetime(lease) {}
        guard let dimensions, let count = embeddings.first?.vector.count, count != dimensions else { return embeddings }
        guard dimensions < count else {
            throw APIError.invalid(
                "'dimensions' is \(dimensions), and vectors of '\(lease.model.id)' have \(count): ask for fewer, or leave it out",
                "dimensions")
        }
        return embeddings.map { $0.shortened(to: dimensions) }
    }
}
