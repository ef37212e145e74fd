public import Foundation
package import LeapBase

/// The base class of every error that Open Leap throws.
///
/// ``message`` is one line that says what was found, where, and what to do about it. Catch a subclass to tell kinds of
/// failure apart: ``LeapModelLoadingException``, ``LeapGenerationException``,
/// ``LeapGenerationPromptExceedContextLengthException``, ``LeapGenerationMemoryException``,
/// ``LeapGenerationQueueFullException``, ``LeapSerializationException``, ``LeapGeneratableSchematizationException``,
/// ``LeapGeneratableDeserializationException``.
public class LeapException: Error, LocalizedError, CustomStringConvertible, @unchecked Sendable {
    // Sendable although not final: every stored property of this class and of its subclasses is immutable.

    /// A description, in one line, of the problem and of what to do about it.
    public let message: String
    /// The error underneath, if another one led to this.
    public let cause: (any Error)?

    /// Makes an error.
    public init(message: String, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// Makes an error.
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

/// The older name of ``LeapException``.
public typealias LeapError = LeapException

/// A model could not be loaded: a missing, unreadable, damaged or unsupported file, or an option out of range.
public final class LeapModelLoadingException: LeapException, @unchecked Sendable {
    // Sendable: `path` is immutable, as everything in the base class.

    /// The file at fault, where one is known.
    public let path: String?

    /// Makes an error.
    public init(message: String, path: String?, cause: (any Error)? = nil) {
        self.path = path
        super.init(message: message, cause: cause)
    }

    /// Makes the error of a file from that of the layers below.
    package convenience init(_ cause: some CodedError, path: String?) {
        self.init(message: cause.description, path: path, cause: cause)
    }

    /// Makes an error that no file is to blame for.
    public override init(message: String, cause: (any Error)? = nil) {
        path = nil
        super.init(message: message, cause: cause)
    }
}

/// A generation could not be started or finished.
public class LeapGenerationException: LeapException, @unchecked Sendable {
    // Sendable: adds no state.
}

/// The prompt needs more tokens than the context has; nothing was computed.
///
/// Load the model with a larger `contextSize`, shorten the history, or ask for trimming with
/// ``GenerationOptions/contextOverflowPolicy``.
public final class LeapGenerationPromptExceedContextLengthException: LeapGenerationException, @unchecked Sendable {
    // Sendable: both numbers are immutable.

    /// The number of tokens that the prompt and one token of the answer need.
    public let neededTokens: Int
    /// The number of tokens that the context holds.
    public let availableTokens: Int

    /// Makes an error that knows no numbers, for code that throws its own.
    public override init(message: String, cause: (any Error)? = nil) {
        neededTokens = 0
        availableTokens = 0
        super.init(message: message, cause: cause)
    }

    /// Makes an error with words of its own for the two numbers.
    init(message: String, neededTokens: Int, availableTokens: Int) {
        self.neededTokens = neededTokens
        self.availableTokens = availableTokens
        super.init(message: message, cause: nil)
    }

    /// Makes an error from the two numbers.
    public init(neededTokens: Int, availableTokens: Int, cause: (any Error)? = nil) {
        self.neededTokens = neededTokens
        self.availableTokens = availableTokens
        super.init(message: Self.message(neededTokens, availableTokens, contextLimit: nil), cause: cause)
    }

    /// Makes an error that says what is possible.
    ///
    /// - Parameter contextLimit: the tokens that a context of this model can have at most; nil where that is not known.
    init(neededTokens: Int, availableTokens: Int, contextLimit: Int?) {
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

/// A message, a history or a function call is not the JSON it has to be.
public final class LeapSerializationException: LeapException, @unchecked Sendable {
    // Sendable: adds no state.
}

/// A type or a JSON Schema cannot be turned into a constraint.
public final class LeapGeneratableSchematizationException: LeapException, @unchecked Sendable {
    // Sendable: `pointer` is immutable.

    /// The JSON Pointer (RFC 6901) of the place in the schema, where one is known.
    public let pointer: String?

    /// Makes an error.
    public init(message: String, pointer: String?, cause: (any Error)? = nil) {
        self.pointer = pointer
        super.init(message: message, cause: cause)
    }

    /// Makes an error about no place in particular.
    public override init(message: String, cause: (any Error)? = nil) {
        pointer = nil
        super.init(message: message, cause: cause)
    }
}

/// A model's JSON could not be decoded into the type that was asked for.
public final class LeapGeneratableDeserializationException: LeapException, @unchecked Sendable {
    // Sendable: adds no state.
}
