import LeapTokenizer

/// The messages that a reply on channels may have under a constraint, by their headers; see ``ChannelFormat``.
struct ChannelHeads: Sendable {
    /// The content that a message may have.
    enum Content: Sendable, Hashable {
        case reasoning
        /// Any text.
        case text
        /// Text that follows a grammar, by its place in the plan; nil for any of them.
        case grammar(Int?)
    }

    /// The tokens of a header, from `<|channel|>` or the word for the recipient on, and what follows them.
    struct Head: Sendable {
        var tokens: ArraySlice<TokenID>
        var content: Content
    }

    private(set) var heads: [Head]
    /// The tokens between the end of a message and the next header.
    let between: [TokenID]
    /// The token that ends a message.
    let end: TokenID
    /// Tokens that no message has in it.
    let marks: [TokenID]
    /// Reasoning, as `end` closes it.
    let scan: ReasoningScan

    /// Finds the tokens of a vocabulary.
    ///
    /// - Parameter contents: what messages may be, by their channels.
    init(_ format: ChannelFormat, tokenizer: Tokenizer, contents: [(channel: Channel, content: Content)]) {
        func tokens(_ text: String) -> [TokenID] { tokenizer.encode(text, addSpecial: false) }
        let mark: [TokenID] = format.form == .harmony ? [format.token(.channel)] : []
        heads = contents.map { channel, content in
            let opening = mark + tokens(channel.text(in: format.form))
            return Head(tokens: (opening + (channel == .call ? [] : [format.token(.message)]))[...], content: content)
        }
        between = [format.token(.start)] + tokens(ChannelFormat.role)
        end = format.messageEnd
        marks = format.form.marks.compactMap { tokenizer.token(for: $0) }.filter { [end] in $0 != end }
        scan = ReasoningScan(tokenizer: tokenizer, mark: format.form.messageEnd)
    }

    /// The same without messages that are reasoning, unless all are.
    var withoutReasoning: ChannelHeads {
        var others = self
        others.heads.removeAll { $0.content == .reasoning }
        return others.heads.isEmpty ? self : others
    }

    /// The word in front of the name of a recipient, without the sign of equality: vocabularies have tokens of that and
    /// the name's beginning.
    static let recipientWord = " to"

    /// A kind of message that headers name.
    enum Channel: Sendable {
        case reasoning, answer
        /// Text in front of a call; of recipients its is that of the answer.
        case preamble
        /// A call, whose grammar has the rest of its header.
        case call

        /// The text of the header: that of its channel, or its recipient.
        fileprivate func text(in form: ChannelForm) -> String {
            switch (form, self) {
            case (.harmony, .reasoning): "analysis"
            case (.harmony, .answer): "final"
            case (.harmony, .preamble), (.harmony, .call): HarmonyFunctionCallParser.channel
            case (.atem, .reasoning): ChannelHeads.recipientWord + "=" + ChannelHeader.thinker
            case (.atem, .answer), (.atem, .preamble): ChannelHeads.recipientWord + "=" + ChannelHeader.user
            case (.atem, .call): ChannelHeads.recipientWord
            }
        }
    }

    /// The tokens of the shortest header of a text that follows a grammar.
    var shortest: Int {
        heads.compactMap { head in if case .grammar = head.content { head.tokens.count } else { nil } }.min() ?? 0
    }

    /// A place in the header of the reply's first message.
    var first: Cursor { Cursor(live: heads) }

    /// A place behind the end of a message.
    var next: Cursor {
        Cursor(live: heads.map { Head(tokens: (between + $0.tokens)[...], content: $0.content) })
    }

    /// A place in a header: what may still follow.
    struct Cursor: Sendable {
        /// The headers that begin as the tokens so far; what is left of each.
        fileprivate(set) var live: [Head]

        /// The content of the message whose whole header has been read; nil if the header is not whole.
        ///
        /// Another header may begin with the same tokens and go on.
        var whole: Content? { live.first { $0.tokens.isEmpty }?.content }

        /// The only message that there may be behind the tokens so far; nil while the header goes on.
        var decided: Content? { live.count == 1 ? whole : nil }

        /// Takes a token.
        ///
        /// - Parameter isText: whether it may be part of the text behind a header that is whole.
        /// - Returns: false, with nothing changed, where no header goes on with it.
        mutating func accept(_ token: TokenID, isText: Bool = false) -> Bool {
            let following = live.compactMap { head in
                if head.tokens.first == token { return Head(tokens: head.tokens.dropFirst(), content: head.content) }
                return head.tokens.isEmpty && isText ? head : nil
            }
            guard !following.isEmpty else { return false }
            live = following
            return true
        }
    }
}
