/// What a parser's syntax of calls is, for another process that has to enforce it.
package struct CallSyntaxDescription: Sendable, Hashable, Codable {
    /// The name of a known style; nil for a parser of the app's own.
    private var style: String?
    /// A call as the parser writes it, which shows the form of the style.
    private var example: String
    private var start: String
    private var end: String

    /// Describes a parser.
    package init(_ parser: any LeapFunctionCallParserProtocol) {
        let style = parser as? any CallStyle
        self.style = style.map { type(of: $0).styleName }
        example = style?.dump([LeapFunctionCall(name: "f", arguments: ["a": 1])]) ?? ""
        start = parser.toolCallStartToken
        end = parser.toolCallEndToken
    }

    /// A parser of the same syntax; of an app's own parser only the marks.
    package var parser: any LeapFunctionCallParserProtocol {
        guard let type = CallStyles.all.first(where: { $0.styleName == style }) else {
            return LeapFunctionCallParser(toolCallStartToken: start, toolCallEndToken: end)
        }
        return type.found(in: example) ?? type.init()
    }
}
