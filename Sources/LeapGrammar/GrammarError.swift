import LeapBase
import LeapJSON

/// The reason why a schema, pattern, grammar or budget was refused.
///
/// A schema that cannot be enforced exactly is refused before generation. ``pointer`` names the place in the schema (a
/// JSON Pointer; `""` is the root). ``reason`` says what was found there and what to do about it.
public struct GrammarError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Code: String, Sendable {
        /// The schema text is not JSON.
        case invalidJSON
        /// The schema breaks the rules of JSON Schema (a keyword's value has the wrong type, …).
        case invalidSchema
        /// A keyword or combination that cannot be enforced exactly.
        case unsupported
        /// A `$ref` that points to nothing, outside of the document or to itself.
        case unresolvedReference
        /// No value can satisfy the schema.
        case unsatisfiable
        /// Compiling would take more time or memory than allowed.
        case tooComplex
        /// A regular expression that cannot be parsed.
        case invalidPattern
        /// A GBNF grammar that cannot be parsed.
        case invalidGrammar
        /// The shortest valid answer is longer than the token budget.
        case budgetTooSmall
        /// The vocabulary cannot spell the text that the grammar needs.
        case vocabulary
    }

    /// The kind of problem.
    public var code: Code
    /// The JSON Pointer into the schema; `line:column` for GBNF; `""` for the whole.
    public var pointer: String
    /// A sentence that says what was found and what to do.
    public var reason: String

    /// Creates the error with which a text that is not JSON is refused.
    init(_ failure: JSONParser.Failure) {
        self.init(.invalidJSON, at: "", "not JSON: \(failure)")
    }

    /// Creates an error at a place.
    public init(_ code: Code, at pointer: String = "", _ reason: String) {
        self.code = code
        self.pointer = pointer
        self.reason = reason
    }

    /// The error with a place, where it has none.
    func placed(at pointer: @autoclosure () -> String) -> GrammarError {
        self.pointer.isEmpty ? GrammarError(code, at: pointer(), reason) : self
    }

    /// `unsupported at "/properties/a/pattern": …`.
    public var description: String { "\(code.rawValue) at \"\(pointer)\": \(reason)" }
}

extension GrammarError: CodedError {
    package var field: String? { pointer.isEmpty ? nil : pointer }
    package var message: String { reason }
}

extension JSONValue {
    /// Reads a schema or document.
    ///
    /// - Throws: ``GrammarError`` `.invalidJSON` with the byte offset.
    package init(schemaText bytes: [UInt8]) throws(GrammarError) {
        do throws(JSONParser.Failure) { self = try JSONParser.parse(bytes) } catch { throw GrammarError(error) }
    }
}
