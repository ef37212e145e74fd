import LeapBase

/// A question, a state or an option of a decision cannot be used, or the model answers no questions.
public final class LeapDecisionException: LeapGenerationException, @unchecked Sendable {
    // Sendable: `field` is immutable.

    /// The place of the error, such as `questions.spam.options`, `state` or `options.temperature`.
    public let field: String

    /// Creates an error; the message is the field, a colon and the problem.
    public init(field: String, _ problem: String, cause: (any Error)? = nil) {
        self.field = field
        super.init(message: "\(ShownText.of(field)): \(problem)", cause: cause)
    }
}
