import LeapBase
import LeapTokenizer

/// The marks around a reply's thoughts, in one vocabulary.
struct ThoughtMarks: Sendable {
    private let tokenizer: Tokenizer
    /// The text that begins thoughts, where no header does.
    let start: [UInt8]
    /// The token that begins thoughts, where the vocabulary has one.
    let startToken: TokenID?
    /// Looks for the end of thoughts.
    let end: ReasoningScan
    /// The channels that a reply may be made of; nil where it is text.
    let channels: ChannelFormat?
    /// The texts of tokens that stand for no text.
    private let texts: [TokenID: [UInt8]]
    /// The tokens that the name of the thoughts' channel, or of their recipient, begins with.
    let names: [TokenID]

    init(tokenizer: Tokenizer, marks: ReasoningMarks, channels: ChannelFormat?, end: ReasoningScan) {
        self.tokenizer = tokenizer
        self.channels = channels
        self.end = end
        start = Array(marks.start.utf8)
        startToken = tokenizer.token(for: marks.startToken)
        var texts: [TokenID: [UInt8]] = [:]
        for mark in channels?.form.marks ?? marks.tokens {
            if let token = tokenizer.token(for: mark) { texts[token] = Array(mark.utf8) }
        }
        self.texts = texts
        guard let channels else {
            names = []
            return
        }
        let name = Array((channels.form == .harmony ? ChannelHeader.reasoningChannel : ChannelHeader.thinker).utf8)
        names = (0..<TokenID(tokenizer.vocabularySize)).filter { token in
            let bytes = tokenizer.bytes(of: token)
            return !bytes.isEmpty && zip(bytes, name).allSatisfy { $0 == $1 }
        }
    }

    /// The text of a token, marks included.
    func bytes(of token: TokenID) -> [UInt8] { texts[token] ?? tokenizer.bytes(of: token) }
}

/// A reply's thoughts while they are written: where they begin and end, as ``ResponseParser`` reads them.
struct ThoughtScan: Sendable {
    /// A part of a reply.
    private enum Place: Sendable {
        /// In front of anything visible, or inside of a header.
        case before
        case thoughts
        case answer
    }

    private let marks: ThoughtMarks
    /// The tokens that begin calls, which end thoughts.
    private let callStarts: Set<TokenID>
    private var place: Place
    /// The bytes since the reply, a header or the last thoughts began; without white space in front where no header does.
    private var begun: [UInt8]
    /// Looks for the end of the thoughts.
    private(set) var end: ReasoningScan

    /// - Parameters:
    ///   - isOpen: whether the prompt has begun thoughts.
    ///   - openTurn: the part of the reply's header that the prompt ends with; nil where it has none.
    init(_ marks: ThoughtMarks, callStarts: [TokenID], isOpen: Bool, openTurn: String?) {
        self.marks = marks
        self.callStarts = Set(callStarts)
        place = isOpen ? .thoughts : .before
        begun = Array((openTurn ?? "").utf8)
        end = marks.end
    }

    /// True inside of thoughts.
    var isInside: Bool { place == .thoughts }

    /// True where the name of a channel or a recipient comes next.
    var isAtName: Bool {
        guard place == .before, let channels = marks.channels else { return false }
        let mark = channels.form == .harmony ? ChannelFormat.Mark.channel.rawValue : ChannelHeader.recipientMark
        return begun.suffix(mark.utf8.count).elementsEqual(mark.utf8)
    }

    /// Takes what was written for text that is no thoughts.
    mutating func leave() { place = .answer }

    /// Takes a token.
    mutating func accept(_ token: TokenID) {
        switch place {
        case .thoughts:
            if callStarts.contains(token) {
                place = .answer
            } else if end.accept(token) {
                (place, begun) = (.before, [])
            }
        case .before:
            begun += marks.bytes(of: token)
            if let channels = marks.channels { readHeader(token, channels) } else { readText() }
        case .answer:
            guard let channels = marks.channels else { return }
            if token == channels.messageEnd || token == channels.token(.start) {
                (place, begun) = (.before, [])
            }
        }
    }

    private mutating func readText() {
        // White space is dropped for good: each of its bytes is looked at once, however many come.
        begun = Array(begun.drop { ASCIIByte.isSpace($0) })
        if begun.starts(with: marks.start) {
            begin()
        } else if !marks.start.starts(with: begun) {
            place = .answer
        }
    }

    private mutating func readHeader(_ token: TokenID, _ channels: ChannelFormat) {
        if token == channels.token(.message) {
            let header = ChannelHeader(String(decoding: begun, as: UTF8.self), form: channels.form)
            if header.isReasoning { begin() } else { place = .answer }
        } else if begun.count > ChannelHeader.maximumLength {
            place = .answer
        }
    }

    private mutating func begin() {
        (place, begun, end) = (.thoughts, [], marks.end)
    }
}
