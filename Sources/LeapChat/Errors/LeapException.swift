public import Foundation
package import LeapBase

/// The base class of every error that Open Leap throws.
///
/// ``message`` is one line that says what was found, where, and what to do about it. Catch a subclass to distinguish
/// the kinds of failure: ``LeapModelLoadingException``, ``LeapGenerationException``,
/// ``LeapGenerationPromptExceedContextLengthException``, ``LeapGenerationMemoryException``,
/// ``LeapGenerationQueueFullException``, ``LeapSerializationException``, ``LeapGeneratableSchematizationException``,
/// ``LeapGeneratableDeserializationException``.
public class LeapException: Error, LocalizedError, CustomStringConvertible, @unchecked Sendable {
    // Sendable although not final: every stored property of this class and of its subclasses is immutable.

    /// The problem and what to do about it, in one line.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    /// Creates an error.
    public init(message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// Creates an error.
    public convenience init(_ message: String, cause: (any Error)? = nil) {
        self.init(message: message, cause: cause)
    }

    /// Makes the error for apps of one of the layers below: the same sentence, and that error as its cause.
    package convenience init(_ cause: some CodedError) {
        self.init(message: cause.description, cause: cause)
    }

    /// The message, for `localizedDescription`.
    public var errorDescription: String? { message }

    /// The message of the underlying error, if there is one.
    public var failureReason: String? { cause.map { String(describing: $0) } }

    /// The message.
    public var description: String { message }
}

/// A model could not be loaded: a missing, unreadable, damaged or unsupported file, or an option out of range.
public final class LeapModelLoadingException: LeapException, @unchecked Sendable {
    // Sendable: `path` is immutable, as everything in the base class.

    /// The path of the file that caused the error, if known.
    public let path: String?

    /// Creates an error.
    public init(message: String, path: String?, cause: (any Error)? = nil) {
        self.path = path
        super.init(message: message, cause: cause)
    }

    /// Makes the error of a file from that of the layers below.
    package convenience init(_ cause: some CodedError, path: String?) {
        self.init(message: cause.description, path: path, cause: cause)
    }

    /// Creates an error that concerns no file.
    public override init(message: String, cause: (any Error)? = nil) {
        path = nil
        super.init(message: message, cause: cause)
    }
}

/// An error while starting or running a generation.
public class LeapGenerationException: LeapException, @unchecked Sendable {
    // Sendable: adds no state.
}

/// The prompt needs more tokens than the context holds; the model computed nothing.
///
/// Load the model with a larger `contextSize`, shorten the history, or allow trimming with
/// ``GenerationOptions/contextOverflowPolicy``.
public final class LeapGenerationPromptExceedContextLengthException: LeapGenerationException, @unchecked Sendable {
    // Sendable: both numbers are immutable.

    /// The number of tokens that the prompt and one token of the reply need.
    public let neededTokens: Int
    /// The number of tokens that the context holds.
    public let availableTokens: Int

    /// Creates an error without numbers, for code that throws its own.
    public override init(message: String, cause: (any Error)? = nil) {
        neededTokens = 0
        availableTokens = 0
        super.init(message: message, cause: cause)
    }

    /// Makes an error with words of its own for the two numbers.
    package init(message: String, neededTokens: Int, availableTokens: Int) {
        self.neededTokens = neededTokens
        self.availableTokens = availableTokens
        super.init(message: message, cause: nil)
    }

    /// Creates an error from the two numbers.
    public init(neededTokens: Int, availableTokens: Int, cause: (any Error)? = nil) {
        self.neededTokens = neededTokens
        self.availableTokens = availableTokens
        super.init(message: Self.message(neededTokens, availableTokens, contextLimit: nil), cause: cause)
    }

    /// Makes an error that says what is possible.
    ///
    /// - Parameter contextLimit: the tokens that a context of this model can have at most; nil where that is not known.
    package init(neededTokens: Int, availableTokens: Int, contextLimit: Int?) {
        self.neededTokens = neededTokens
        self.availableTokens = availableTokens
        super.init(message: Self.message(neededTokens, availableTokens, contextLimit: contextLimit), cause: nil)
    }

    private static func message(_ needed: Int, _ available: Int, contextLimit: Int?) -> String {
        let shorter = "shorten the history, or set contextOverflowPolicy to .trimOldestTurns"
        let remedy =
            if let contextLimit, contextLimit < needed {
                ", and the model ends at \(max(contextLimit, available)): \(shorter)"
            } else {
                ": load the model with a larger contextSize, \(shorter)"
            }
        return "the prompt needs \(needed) tokens but the context holds \(available)\(remedy)"
    }
}

/// A message, a history or a function call is not valid JSON of the expected form.
public final class LeapSerializationException: LeapException, @unchecked Sendable {
    // Sendable: adds no state.
}

/// A type or a JSON Schema cannot be converted to a constraint.
public final class LeapGeneratableSchematizationException: LeapException, @unchecked Sendable {
    // Sendable: `pointer` is immutable.

    /// The JSON Pointer (RFC 6901) of the place in the schema, if known.
    public let pointer: String?

    /// Creates an error.
    public init(message: String, pointer: String?, cause: (any Error)? = nil) {
        self.pointer = pointer
        super.init(message: message, cause: cause)
    }

    /// Creates an error that concerns no particular place.
    public override init(message: String, cause: (any Error)? = nil) {
        pointer = nil
        super.init(message: message, cause: cause)
    }
}

/// The model's JSON could not be decoded into the requested type.
public final class LeapGeneratableDeserializationException: LeapException, @unchecked Sendable {
    // Sendable: adds no state.
}
