/// A placeholder for the parser of the model's own call syntax.
///
/// It is the default of ``GenerationOptions/functionCallParser``. When a generation starts, it is replaced by the
/// parser that matches the model's chat template and vocabulary: ``LFMFunctionCallParser``, ``XMLFunctionCallParser``,
/// ``HermesFunctionCallParser``, ``Llama3FunctionCallParser``, ``MistralFunctionCallParser``,
/// ``GraniteFunctionCallParser``, ``HarmonyFunctionCallParser``, ``Gemma4FunctionCallParser``,
/// ``AtemFunctionCallParser``, ``DeepSeekFunctionCallParser`` or ``NemotronFunctionCallParser``.
public final class AutomaticFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() { super.init(toolCallStartToken: "", toolCallEndToken: "") }

    /// Reads calls in any of the supported syntaxes, without their marks.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        var first: (any Error)?
        for style in CallStyles.all {
            do {
                return try style.init().parse(text, functions: functions)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? FunctionCallSyntaxError(reason: "no call")
    }
}

extension LeapFunctionCallParser {
    /// The parser of the model's own syntax; see ``AutomaticFunctionCallParser``.
    public static let automatic: LeapFunctionCallParser = AutomaticFunctionCallParser()
}
