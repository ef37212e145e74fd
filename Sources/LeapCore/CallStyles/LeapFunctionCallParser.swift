import LeapJSON

/// Turns what a model writes between its call marks into calls, and calls back into what a model would write.
public protocol LeapFunctionCallParserProtocol: Sendable {
    /// The text that begins a call.
    var toolCallStartToken: String { get }
    /// The text that ends a call.
    var toolCallEndToken: String { get }

    /// Reads the calls in what stood between the two marks.
    ///
    /// - Parameters:
    ///   - text: what the model wrote, without the marks.
    ///   - functions: the functions it was told about, to give names to arguments that have none.
    /// - Throws: where the text is no call; ``FunctionCallSyntaxError`` can say that it only ends too early. The text
    ///   then stands as text, and ``MessageCompletion/issues`` has the reason.
    func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall]

    /// Writes calls as the model would, marks included, for chat templates that have no place for them.
    func dump(_ functionCalls: [LeapFunctionCall]) -> String

    /// A Boolean value that tells whether the start mark also ends reasoning that the model forgot to close.
    var startTokenEndsReasoning: Bool { get }

    /// One sentence that tells a model how to call, for chat templates that do not know of tools.
    var instructions: String { get }
}

extension LeapFunctionCallParserProtocol {
    /// True for marks in the style of control tokens (`<|…|>`, `<｜…｜>`), which no model writes by accident.
    public var startTokenEndsReasoning: Bool { toolCallStartToken.utf8.isControlMark }

    /// An example of a call between the marks.
    public var instructions: String {
        let example = LeapFunctionCall(name: "function_name", arguments: ["argument": "value"])
        return "To call one or more of them, answer with \(dump([example])) and nothing else."
    }
}

/// The base class of function call parsers.
///
/// Subclass it for a model with a syntax of its own:
/// ```swift
/// final class SlashParser: LeapFunctionCallParser, @unchecked Sendable {
///     init() { super.init(toolCallStartToken: "<call>", toolCallEndToken: "</call>") }
///
///     override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
///         [LeapFunctionCall(name: text, arguments: [:])]
///     }
/// }
/// ```
/// As it stands it reads and writes `{"name": …, "arguments": {…}}`. A parser is used by several generations at once,
/// so it keeps no state.
open class LeapFunctionCallParser: LeapFunctionCallParserProtocol, @unchecked Sendable {
    // Sendable although open: this class has no mutable state, and subclasses are told to have none.

    /// The text that begins a call.
    public let toolCallStartToken: String
    /// The text that ends a call.
    public let toolCallEndToken: String

    /// Makes a parser for two marks.
    public init(toolCallStartToken: String, toolCallEndToken: String) {
        self.toolCallStartToken = toolCallStartToken
        self.toolCallEndToken = toolCallEndToken
    }

    /// Reads the calls in what stood between the two marks.
    open func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        try JSONCallReader.calls(in: text)
    }

    /// Writes calls as the model would, marks included.
    open func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            toolCallStartToken + "\n" + CallObject.text(call, argumentsKey: "arguments") + "\n" + toolCallEndToken
        }.joined(separator: "\n")
    }
}
