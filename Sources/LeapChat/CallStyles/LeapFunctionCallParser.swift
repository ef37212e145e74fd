import LeapJSON

/// Converts the text between a model's call marks to calls, and calls back to text.
public protocol LeapFunctionCallParserProtocol: Sendable {
    /// The text that begins a call.
    var toolCallStartToken: String { get }
    /// The text that ends a call.
    var toolCallEndToken: String { get }

    /// Reads the calls from the text between the two marks.
    ///
    /// - Parameters:
    ///   - text: the model's text, without the marks.
    ///   - functions: the functions of the generation, which name the arguments that have no name.
    /// - Throws: an error if the text is not a call. The text then stays in the reply, and ``MessageCompletion/issues``
    ///   has the reason. ``FunctionCallSyntaxError`` can report that the text is incomplete.
    func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall]

    /// Writes calls in the model's syntax with their marks, for chat templates without tool support.
    func dump(_ functionCalls: [LeapFunctionCall]) -> String

    /// A Boolean value that indicates whether the start mark also ends reasoning that the model left open.
    var startTokenEndsReasoning: Bool { get }

    /// One sentence that tells a model how to write calls, for chat templates without tool support.
    var instructions: String { get }
}

extension LeapFunctionCallParserProtocol {
    /// True for marks in the style of control tokens (`<|…|>`, `<｜…｜>`), which models do not write by accident.
    public var startTokenEndsReasoning: Bool { toolCallStartToken.utf8.isControlMark }

    /// An example of a call between its marks.
    public var instructions: String {
        let example = LeapFunctionCall(name: "function_name", arguments: ["argument": "value"])
        return "To call one or more of them, answer with \(dump([example])) and nothing else."
    }
}

/// The base class of function call parsers.
///
/// Subclass it for a model with another call syntax:
/// ```swift
/// final class SlashParser: LeapFunctionCallParser, @unchecked Sendable {
///     init() { super.init(toolCallStartToken: "<call>", toolCallEndToken: "</call>") }
///
///     override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
///         [LeapFunctionCall(name: text, arguments: [:])]
///     }
/// }
/// ```
/// The base class reads and writes `{"name": …, "arguments": {…}}`. Several generations use one parser at the same
/// time, so a parser must not keep state.
open class LeapFunctionCallParser: LeapFunctionCallParserProtocol, @unchecked Sendable {
    // Sendable although open: this class has no mutable state, and subclasses are told to have none.

    /// The text that begins a call.
    public let toolCallStartToken: String
    /// The text that ends a call.
    public let toolCallEndToken: String

    /// Creates a parser for two marks.
    public init(toolCallStartToken: String, toolCallEndToken: String) {
        self.toolCallStartToken = toolCallStartToken
        self.toolCallEndToken = toolCallEndToken
    }

    /// Reads the calls from the text between the two marks.
    open func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        try JSONCallReader.calls(in: text)
    }

    /// Writes calls in the model's syntax, with their marks.
    open func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            toolCallStartToken + "\n" + CallObject.text(call, argumentsKey: "arguments") + "\n" + toolCallEndToken
        }.joined(separator: "\n")
    }
}
