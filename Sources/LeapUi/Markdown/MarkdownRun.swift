public import Foundation
package import LeapBase

/// Text of one style within a ``MarkdownBlock``.
public struct MarkdownRun: Hashable, Sendable {
    /// The style of a text.
    public struct Style: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates a style from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Strong emphasis.
        public static let bold = Style(rawValue: 1)
        /// Emphasis.
        public static let italic = Style(rawValue: 2)
        /// Code within a sentence.
        public static let code = Style(rawValue: 4)
        /// Text that is struck through.
        public static let struck = Style(rawValue: 8)
    }

    /// The text, without marks.
    public internal(set) var text: String
    /// The style.
    public let style: Style
    /// The address that a tap opens, of the schemes `http`, `https` and `mailto`; nil for none.
    ///
    /// A model can write any address. Those of other schemes could start actions of apps, and stay text.
    public let link: URL?

    /// Creates a run.
    public init(text: String, style: Style = [], link: URL? = nil) {
        self.text = text
        self.style = style
        self.link = link
    }

    package init(_ span: InlineMarkdown.Span) {
        let pairs: [(TextStyle, Style)] = [(.bold, .bold), (.italic, .italic), (.code, .code), (.struck, .struck)]
        text = span.text
        style = pairs.reduce(into: []) { if span.style.contains($1.0) { $0.insert($1.1) } }
        link = span.address.flatMap(Self.link)
    }

    private static func link(_ address: String) -> URL? {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https", "mailto"].contains(scheme)
        else { return nil }
        return url
    }
}
