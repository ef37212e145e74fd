import LeapBase

/// An error while compiling or rendering a chat template, with the line.
///
/// The message names the value that was found and what was expected. If CPython's Jinja2 has an equivalent, the message
/// uses its words, so that you can search the web for it.
public struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name, for example `undefined`.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The template text is not valid Jinja.
        public static let syntax = Code(rawValue: "syntax")
        /// The template uses a filter that does not exist.
        public static let unknownFilter = Code(rawValue: "unknownFilter")
        /// The template uses a test that does not exist.
        public static let unknownTest = Code(rawValue: "unknownTest")
        /// An undefined value was used where a value is needed.
        public static let undefined = Code(rawValue: "undefined")
        /// An operation was applied to values of the wrong type (Python's `TypeError`).
        public static let type = Code(rawValue: "type")
        /// A value of the right type is invalid (Python's `ValueError`, `KeyError`, `IndexError`, …).
        public static let value = Code(rawValue: "value")
        /// The template did something that Jinja's sandbox forbids.
        public static let security = Code(rawValue: "security")
        /// The template called `raise_exception`; the message is the template's own.
        public static let raised = Code(rawValue: "raised")
        /// A limit of ``TemplateLimits`` was reached.
        public static let limit = Code(rawValue: "limit")
        /// A Jinja feature that has no meaning for chat templates, for example `include`.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A JSON text could not be parsed.
        public static let json = Code(rawValue: "json")

        /// The code's name, for example `undefined`.
        public var description: String { rawValue }
    }

    /// The payload lives in one reference so that a throwing call costs no more than a pointer.
    private final class Storage: Sendable {
        let code: Code
        let message: String
        let line: Int?

        init(code: Code, message: String, line: Int?) {
            self.code = code
            self.message = message
            self.line = line
        }
    }

    private let storage: Storage

    /// The kind of failure.
    public var code: Code { storage.code }

    /// The error, without the line.
    public var message: String { storage.message }

    /// The template line (1-based) that failed; nil if the error concerns no line (JSON, arguments).
    public var line: Int? { storage.line }

    /// The message, after the template line if there is one.
    public var description: String {
        line.map { "template line \($0): \(message)" } ?? message
    }

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: what happened.
    ///   - line: the template line, 1-based.
    public init(_ code: Code, _ message: String, line: Int? = nil) {
        storage = Storage(code: code, message: message, line: line)
    }

    /// The same error at `line`, unless a more precise line is known already.
    func at(line: Int) -> TemplateError {
        storage.line == nil ? TemplateError(code, message, line: line) : self
    }

    /// Returns whether two errors have the same code, message and line.
    public static func == (a: TemplateError, b: TemplateError) -> Bool {
        a.code == b.code && a.message == b.message && a.line == b.line
    }
}

extension TemplateError: CodedError {
    package var field: String? { line.map { "line \($0)" } }
}

extension TemplateError {
    static func type(_ message: String) -> TemplateError { TemplateError(.type, message) }
    static func value(_ message: String) -> TemplateError { TemplateError(.value, message) }
    static func limit(_ message: String) -> TemplateError { TemplateError(.limit, message) }
}
