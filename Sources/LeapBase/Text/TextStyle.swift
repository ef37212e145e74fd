/// The look of a piece of text, as a terminal or a view shows it.
package struct TextStyle: OptionSet, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let bold = TextStyle(rawValue: 1)
    package static let dim = TextStyle(rawValue: 2)
    package static let italic = TextStyle(rawValue: 4)
    package static let underline = TextStyle(rawValue: 8)
    package static let struck = TextStyle(rawValue: 16)
    /// Text of a program, in a colour that is legible on light and on dark.
    package static let code = TextStyle(rawValue: 32)
    /// A string within a program's text.
    package static let string = TextStyle(rawValue: 64)
    /// A number within a program's text.
    package static let number = TextStyle(rawValue: 128)
    /// A word of the language that a program is written in.
    package static let keyword = TextStyle.code
}
