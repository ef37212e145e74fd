package import LeapGrammar

/// A syntax of calls that this package knows: how it is found in a model's files, read, written and enforced.
///
/// A style is a parser that apps can choose too. A new one is one file, and one line in ``CallStyles/all``.
package protocol CallStyle: LeapFunctionCallParser {
    /// The name that `leap --call-style` takes.
    static var styleName: String { get }

    /// Makes a parser of the style's usual form.
    init()

    /// The name of the form in which calls are written, of styles that have several; empty for the usual one.
    var form: String { get }

    /// Makes a parser of one of the style's forms; nil for a form that it does not have.
    init?(form: String)

    /// The style, in the form that a text shows; nil where the text does not show it.
    ///
    /// - Parameter text: what a chat template writes for a call, a chat template, or tokens of a vocabulary.
    static func found(in text: String) -> Self?

    /// The marks around, between and inside of calls.
    var marks: CallMarks { get }

    /// The rule by which names are written.
    var nameRule: CallNameRule { get }

    /// The form of messages on channels whose headers tell that they are calls of this style; nil where calls stand in
    /// any text.
    var channelForm: ChannelForm? { get }

    /// Finds the end of a call; nil where the end mark does.
    ///
    /// - Parameter isMarked: whether a start mark stood before it.
    func makeExtent(isMarked: Bool) -> (any CallExtent)?

    /// The shape of calls in a grammar.
    func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape
}

extension CallStyle {
    package var form: String { "" }

    package init?(form: String) {
        guard form.isEmpty else { return nil }
        self.init()
    }

    package var marks: CallMarks { CallMarks(starts: [toolCallStartToken], end: toolCallEndToken) }
    package var nameRule: CallNameRule { .quoted }
    package var channelForm: ChannelForm? { nil }
    package func makeExtent(isMarked: Bool) -> (any CallExtent)? { nil }
}

/// The marks of calls in a reply: those around them, between them and inside of them.
package struct CallMarks: Sendable, Hashable {
    /// Texts that begin a call wherever they stand; the first is the one that is written.
    package var starts: [String]
    /// The text that ends a call; empty where a call shows by itself where it ends.
    package var end = ""
    /// Marks inside of calls.
    package var inner: [String] = []
    /// Marks of the headers of messages that are calls: in a call's text they have no meaning.
    var headers: [String] = []
    /// Tokens that end a turn behind calls.
    package var turnEnds: [String] = []
    /// Texts that are dropped where they follow a call.
    package var separators: [String] = []
    /// True if a JSON object that names a registered function is a call where nothing visible stands before it.
    package var allowsBareObject = false

    /// Every mark of calls, for those who look for tokens of them.
    package var all: [String] { (starts + [end] + inner).filter { !$0.isEmpty } }

    package init(starts: [String], end: String = "") {
        self.starts = starts
        self.end = end
    }

    /// The marks of a parser; none without one.
    package init(_ parser: (any LeapFunctionCallParserProtocol)?) {
        guard let parser else {
            self.init(starts: [])
            return
        }
        self =
            (parser as? any CallStyle)?.marks
            ?? CallMarks(
                starts: parser.toolCallStartToken.isEmpty ? [] : [parser.toolCallStartToken],
                end: parser.toolCallEndToken)
    }
}
