/// The header of a message, up to `<|message|>`: `<|start|>assistant to=functions.f<|channel|>commentary json`, all of
/// it optional.
struct ChannelHeader: Equatable {
    /// The way in which it is written.
    let form: ChannelForm
    /// The channel; nil where none is named.
    var channel: Substring?
    /// The recipient of the message; nil where none is named.
    var recipient: Substring?

    init(_ text: some StringProtocol, form: ChannelForm = .harmony) {
        self.form = form
        let text = Substring(text)
        if form == .harmony, let place = text.firstRange(of: ChannelFormat.Mark.channel.rawValue) {
            channel = Self.word(text[place.upperBound...])
        }
        // The recipient may stand behind the role or behind the channel.
        for (place, _) in zip(text.ranges(of: Self.recipientMark), 0..<8) {
            let isWord = place.lowerBound == text.startIndex || !text[..<place.lowerBound].last.isPartOfName
            if isWord {
                recipient = Self.word(text[place.upperBound...])
                break
            }
        }
        if recipient?.isEmpty == true || recipient == ChannelFormat.role[...] { recipient = nil }
    }

    static let recipientMark = "to="
    /// The channel of reasoning, where channels have names.
    static let reasoningChannel = "analysis"
    /// The recipients of messages that are no calls, where channels have no names.
    static let thinker = "self"
    static let user = "user"

    /// Returns the beginning of a text, up to the first space or the next mark.
    static func word(_ text: Substring) -> Substring { text.prefix { !$0.isWhitespace && $0 != "<" } }

    /// The function that is called; nil for a message to the user, and for reasoning.
    var function: Substring? {
        guard let recipient else { return nil }
        switch form {
        case .harmony:
            let prefix = ChannelFormat.functionNamespace
            return recipient.hasPrefix(prefix) ? recipient.dropFirst(prefix.count) : recipient
        case .atem: return [Self.thinker[...], Self.user[...]].contains(recipient) ? nil : recipient
        }
    }

    /// True if the message is reasoning.
    var isReasoning: Bool {
        switch form {
        case .harmony: recipient == nil && channel == Self.reasoningChannel[...]
        case .atem: recipient == Self.thinker[...]
        }
    }

    // MARK: Where headers begin

    /// A longer text is no header.
    static let maximumLength = 1024

    private static let beginnings: [ChannelForm: [[UInt8]]] = [
        .harmony: (ChannelFormat.Mark.allCases.map(\.rawValue) + [ChannelFormat.constrain, recipientMark]).map {
            Array($0.utf8)
        },
        .atem: [ChannelFormat.Mark.start.rawValue, ChannelFormat.Mark.message.rawValue, recipientMark].map {
            Array($0.utf8)
        },
    ]

    /// Returns whether bytes are the beginning of a header, or may become it.
    ///
    /// - Parameter length: the number of bytes up to the end of its mark; nil for all.
    static func mayBegin(
        _ bytes: some Collection<UInt8>, length: Int? = nil, form: ChannelForm = .harmony
    ) -> Bool {
        length ?? bytes.count <= maximumLength
            && (beginnings[form] ?? []).contains { zip($0, bytes).allSatisfy { $0 == $1 } }
    }
}

extension Character? {
    fileprivate var isPartOfName: Bool { map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
}
