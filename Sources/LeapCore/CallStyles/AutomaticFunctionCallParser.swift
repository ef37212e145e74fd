/// Stands for the parser of the model's own syntax, which its chat template and vocabulary tell.
///
/// The default of ``GenerationOptions/functionCallParser``. When a generation starts, the model's parser takes its
/// place: ``LFMFunctionCallParser``, ``XMLFunctionCallParser``, ``HermesFunctionCallParser``,
/// ``Llama3FunctionCallParser``, ``MistralFunctionCallParser``, ``GraniteFunctionCallParser``,
/// ``HarmonyFunctionCallParser``, ``Gemma4FunctionCallParser``, ``DeepSeekFunctionCallParser`` or
/// ``NemotronFunctionCallParser``.
public final class AutomaticFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Makes a parser.
    public init() { super.init(toolCallStartToken: "", toolCallEndToken: "") }

    /// Reads calls in whichever syntax the text is, marks left out.
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
