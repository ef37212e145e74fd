import LeapEngine
import LeapTokenizer

/// What a reply is held to.
struct ReplyConstraint {
    /// Decides which tokens may come; nil for any.
    var constraint: (any TokenConstraint)?
    /// The JSON Schema, if there is one.
    var schema: String?

    /// What the model is told of the constraint in its system message; nil for nothing.
    func systemText(for settings: GenerationSettings) -> String? {
        guard settings.injectSchemaIntoPrompt, let schema else { return nil }
        return "Answer with JSON that follows this JSON Schema: \(schema)"
    }
}

/// Makes the constraint that a generation's options ask for.
enum ConstraintFactory {
    /// The constraint.
    ///
    /// - Throws: ``LeapGeneratableSchematizationException`` where it cannot be kept to.
    static func make(
        settings: GenerationSettings, extras: GenerationExtras, functions: [LeapFunction], tokenizer: Tokenizer,
        contextSize: Int
    ) throws -> ReplyConstraint {
        guard let schema = settings.jsonSchemaConstraint else { return ReplyConstraint() }
        throw LeapGeneratableSchematizationException("JSON Schema constraints are not available: \(schema.prefix(40))")
    }
}
