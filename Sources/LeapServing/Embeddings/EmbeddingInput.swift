import LeapCore
import LeapJSON

/// The texts of a request for embeddings, and their vectors.
struct EmbeddingInput: Sendable {
    /// The maximum number of texts in a request, OpenAI's own.
    static let maxTexts = 2048

    let texts: [String]

    init(texts: [String]) { self.texts = texts }

    /// Reads `input`: a text or an array of texts.
    ///
    /// - Throws: ``APIError`` for anything else; token numbers are of one model's vocabulary and are not taken.
    init(_ fields: inout RequestFields) throws(APIError) {
        let value = fields.value("input")
        let texts = value?.string.map { [$0] } ?? value?.array?.compactMap(\.string)
        guard let texts, !texts.isEmpty, texts.count == value?.array?.count ?? 1 else {
            throw .invalid(
                "'input' is \(value?.kind ?? "missing"); expected a string or an array of strings, not empty", "input")
        }
        guard texts.count <= Self.maxTexts else {
            throw .invalid("there are \(texts.count) texts; at most \(Self.maxTexts) are taken", "input")
        }
        self.texts = texts
    }

    /// The vectors of the texts, in their order.
    ///
    /// - Parameter dimensions: how many numbers a vector has to have; nil for as many as the model's have.
    /// - Throws: ``APIError`` for a text that does not fit, or a number of dimensions that the model has not.
    func vectors(
        _ lease: ModelLease, options: EmbeddingOptions, dimensions: Int?
    ) async throws -> [TextEmbedding] {
        let embeddings: [TextEmbedding]
        do {
            embeddings = try await lease.runner.embed(texts, options: options)
        } catch let error as LeapGenerationPromptExceedContextLengthException {
            throw APIError.invalid(error.message, "input", code: "context_length_exceeded")
        }
        withExtendedLifetime(lease) {}
        if let dimensions, let count = embeddings.first?.vector.count, count != dimensions {
            throw APIError.invalid(
                "'dimensions' is \(dimensions), and vectors of '\(lease.model.id)' have \(count): leave it out",
                "dimensions")
        }
        return embeddings
    }
}
