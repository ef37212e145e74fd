import LeapJSON
package import LeapModel
package import LeapTokenizer

/// Makes prompts for one model: messages to text to tokens.
package struct PromptBuilder: Sendable {
    package typealias Request = PromptRequest

    /// A finished prompt.
    package struct Prompt: Sendable {
        /// Its text, special tokens spelled out.
        package var text: String
        /// Its tokens.
        package var tokens: [TokenID]
        /// The end of the prompt, from an open `<think>` on; nil if the reply does not begin inside of reasoning.
        package var openReasoning: String?
        /// The part of the reply's header that the prompt ends with; nil where replies are not made of messages on
        /// channels.
        package var openTurn: String?
        /// The tokens with which the reply is opened, the last ones of the prompt.
        package var opening: [TokenID] = []
        /// The parts of its pictures, sounds and spoken replies, in the order of their tokens.
        package var parts: [MediaPart] = []
        /// Their files, in the same order.
        package var files: [PromptFile] = []
        /// The text of the first token, where the format left it to the tokenizer.
        var addedStart = ""

        /// All that the model gets, as text.
        package var wholeText: String { addedStart + text }

        /// A prompt without reasoning, channels or files.
        package init(text: String, tokens: [TokenID]) {
            self.text = text
            self.tokens = tokens
        }
    }

    package let tokenizer: Tokenizer
    package private(set) var renderer: PromptRenderer
    /// The readers of pictures, sounds and videos, at most one for each.
    package var media: [any MediaReader] = [] {
        didSet { renderer.soundSpan = SoundSpan(media) }
    }
    /// The reader of replies with speech; nil where there is none.
    package var speech: SpeechReader?
    /// The text that ends thoughts at their limit where the options have none; nil for none.
    package var thinkingBudgetMessage: String?

    package init(tokenizer: Tokenizer, formatter: any PromptFormatter, toolFormatter: (any PromptFormatter)? = nil) {
        self.init(
            tokenizer: tokenizer,
            renderer: PromptRenderer(tokenizer: tokenizer, formatter: formatter, toolFormatter: toolFormatter))
    }

    package init(tokenizer: Tokenizer, renderer: PromptRenderer) {
        self.tokenizer = tokenizer
        self.renderer = renderer
    }

    /// The prompt for a request.
    ///
    /// - Throws: what the format throws, as ``LeapGenerationException``.
    package func build(_ request: Request) throws -> Prompt {
        var request = request
        request.messages = SpeechReader.readable(request.messages, by: speech)
        var rendered = try renderer.render(request)
        var prompt = Prompt(text: rendered.string, tokens: [])
        if request.addGenerationPrompt { readOpening(of: &prompt) }
        if request.addGenerationPrompt {
            let opening = request.replyStart == nil ? request.opening : nil
            if let marks = opening ?? renderer.soundSpan?.opening(of: request) { open(marks, in: &rendered, &prompt) }
        }
        if request.addGenerationPrompt, let start = request.replyStart {
            try append(start, to: &rendered, &prompt)
        }
        try addTokens(of: rendered, to: &prompt)
        if tokenizer.addsBOS, let bos = tokenizer.bosToken, prompt.tokens.first != bos {
            prompt.tokens.insert(bos, at: 0)
            prompt.addedStart = tokenizer.text(of: bos)
        }
        return prompt
    }

    /// Finds what the end of the prompt opens: a turn of messages on channels, or reasoning.
    private func readOpening(of prompt: inout Prompt) {
        prompt.openTurn = renderer.channels?.openTurn(prompt.text)
        if prompt.openTurn == nil {
            prompt.openReasoning = Self.openReasoning(prompt.text, mark: renderer.reasoning.start)
        }
    }

    /// Ends the prompt with marks that open the reply, but for what the format ends with already.
    private func open(_ opening: String, in text: inout PromptRenderer.Text, _ prompt: inout Prompt) {
        guard prompt.openTurn == nil else { return }
        let closed = SpeechReader.closedReasoning
        var opening = opening[...]
        let isClosed = prompt.text.utf8.reversed().drop { ASCIIByte.isSpace($0) }.starts(
            with: renderer.reasoning.end.utf8.reversed())
        if isClosed, opening.hasPrefix(closed) { opening = opening.dropFirst(closed.count) }
        if prompt.openReasoning != nil {
            if opening.hasPrefix(closed) { opening = opening.dropFirst(closed.count) }
            prompt.openReasoning = nil
            text.bytes += Array(renderer.reasoning.end.utf8)
        }
        text.bytes += Array(opening.utf8)
        prompt.text = text.string
        prompt.opening = tokenizer.encode(String(opening), addSpecial: false, parseSpecial: true)
    }

    /// Ends the prompt with the beginning of the reply, in which control tokens are plain text.
    ///
    /// - Throws: ``LeapGenerationException`` where replies are made of messages on channels.
    private func append(_ start: String, to text: inout PromptRenderer.Text, _ prompt: inout Prompt) throws {
        guard prompt.openTurn == nil else {
            throw LeapGenerationException(
                "replies of this model consist of messages on channels and cannot be continued: request a new reply"
            )
        }
        // What is gone on with is the answer, so reasoning that the format begins is over.
        let closing = prompt.openReasoning == nil ? "" : renderer.reasoning.end + "\n\n"
        prompt.openReasoning = nil
        text.bytes += Array(closing.utf8)
        for place in renderer.controlTokens.occurrences(in: start, except: []) {
            text.literalStarts.insert(text.bytes.count + place)
        }
        text.bytes += Array(start.utf8)
        prompt.text = text.string
    }

    /// The tokens of text, pictures, sounds and videos; text is tokenized in the stretches between them, as around any special
    /// token.
    private func addTokens(of text: PromptRenderer.Text, to prompt: inout Prompt) throws {
        func encode(_ range: Range<Int>, followedBy lead: String = "") -> [TokenID] {
            guard !text.media.isEmpty else {
                return tokenizer.encode(utf8: text.bytes, addSpecial: false, literalStarts: text.literalStarts)
            }
            return tokenizer.encode(
                utf8: text.bytes[range] + Array(lead.utf8), addSpecial: false,
                literalStarts: Set(text.literalStarts.filter(range.contains).map { $0 - range.lowerBound }))
        }
        var start = 0
        for (index, item) in text.media.enumerated() {
            let file = MediaFile(item.data)
            let reader = try reader(of: item.medium)
            let lead: String
            let read: (tokens: [TokenID], parts: [MediaPart])
            do {
                lead = try reader.lead(of: file)
                read = try reader.read(file)
            } catch let error as LeapGenerationException where error.isAboutFile {
                let (number, count) = (
                    text.media[...index].count { $0.medium == item.medium },
                    text.media.count { $0.medium == item.medium }
                )
                guard count > 1 else { throw error }
                // Which of them it is.
                throw LeapGenerationException(
                    message: "\(item.medium.rawValue) \(number) of \(count): \(error.message)",
                    cause: error.cause)
            }
            prompt.files.append(PromptFile(item.medium, file))
            prompt.tokens += encode(start..<item.place, followedBy: lead) + read.tokens
            prompt.parts += read.parts
            start = item.place
        }
        prompt.tokens += encode(start..<text.bytes.count)
    }

    /// Returns the reader of pictures, sounds or videos; nil where there is none.
    package func mediaReader(_ medium: Medium) -> (any MediaReader)? { media.first { $0.medium == medium } }

    /// Returns the reader of a medium.
    ///
    /// - Throws: ``LeapGenerationException`` where nothing does.
    func reader(of medium: Medium) throws -> any MediaReader {
        if medium == .speech, let speech { return speech }
        guard let reader = mediaReader(medium) else { throw LeapGenerationException(medium.refusal) }
        return reader
    }

    /// The tokens and texts that end a reply.
    package struct TurnEnds: Sendable {
        /// The tokens that the model's file declares, and those that the format writes after an assistant message.
        package var tokens: Set<TokenID>
        /// Marks of the format that are no tokens of the vocabulary.
        package var texts: [String]
    }

    /// The tokens and texts that end a reply.
    package var turnEnds: TurnEnds {
        var ends = TurnEnds(tokens: tokenizer.endTokens, texts: [])
        let written = renderer.formatter.turnEnds + (renderer.toolFormatter?.turnEnds ?? [])
        // It ends a message of the turn only.
        if let end = renderer.channels?.messageEnd, end != tokenizer.eosToken { ends.tokens.remove(end) }
        for mark in written + renderer.callStyle.marks.turnEnds where mark != renderer.channels?.form.messageEnd {
            let tokens = tokenizer.encode(mark, addSpecial: false, parseSpecial: true)
            if let token = tokens.first, [.control, .userDefined].contains(tokenizer.kind(of: token)) {
                if token != tokenizer.bosToken { ends.tokens.insert(token) }
            } else if mark.hasPrefix("<"), mark.hasSuffix(">"), !ends.texts.contains(mark) {
                // Anything else, a line end for example, also occurs inside of replies.
                ends.texts.append(mark)
            }
        }
        return ends
    }

    /// The end of a text from the mark of reasoning on, if nothing but space follows that.
    private static func openReasoning(_ text: String, mark: String) -> String? {
        let trimmed = text.utf8.reversed().drop { ASCIIByte.isSpace($0) }
        guard trimmed.starts(with: mark.utf8.reversed()) else { return nil }
        let length = text.utf8.count - trimmed.count + mark.utf8.count
        return String(decoding: text.utf8.suffix(length), as: UTF8.self)
    }
}
