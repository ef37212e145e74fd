/// A description of a parser's syntax of calls, for another process that has to enforce it.
package struct CallSyntaxDescription: Sendable, Hashable, Codable {
    /// The name of a known style; nil for a parser of the app's own.
    private var style: String?
    /// The name of the style's form in use; empty for the usual one.
    private var form: String
    private var start: String
    private var end: String

    /// Describes a parser.
    package init(_ parser: any LeapFunctionCallParserProtocol) {
        let style = parser as? any CallStyle
        self.style = style.map { type(of: $0).styleName }
        form = style?.form ?? ""
        start = parser.toolCallStartToken
        end = parser.toolCallEndToken
    }

    /// A parser of the same syntax; of an app's own parser only the marks.
    package var parser: any LeapFunctionCallParserProtocol {
        CallStyles.all.first { $0.styleName == style }?.init(form: form)
            ?? LeapFunctionCallParser(toolCallStartToken: start, toolCallEndToken: end)
    }
}
