import LeapTokenizer

/// Makes prompts for one model: messages to text to tokens.
package struct PromptBuilder: Sendable {
    /// What a prompt is made from.
    package struct Request: Sendable {
        /// The history, the message to answer last.
        package var messages: [ChatMessage]
        /// The functions the model may ask for.
        package var functions: [LeapFunction] = []
        /// Writes calls in messages where the format has no place for them.
        package var parser: (any LeapFunctionCallParserProtocol)? = LFMFunctionCallParser()
        /// Whether the beginning of the reply is part of the prompt.
        package var addGenerationPrompt = true
        /// Variables of the format.
        package var variables: JSONObject = [:]

        package init(messages: [ChatMessage]) { self.messages = messages }
    }

    /// A finished prompt.
    package struct Prompt: Sendable {
        /// Its text, special tokens spelled out.
        package var text: String
        /// Its tokens.
        package var tokens: [TokenID]
        /// What the prompt ends with from an open `<think>` on; nil if the reply does not begin inside of reasoning.
        package var openReasoning: String?
    }

    package let tokenizer: Tokenizer
    private let formatter: any PromptFormatter
    /// The format for prompts with functions, where the model has one of its own.
    private let toolFormatter: (any PromptFormatter)?
    private let controlTokens: ControlTokenTable

    package init(tokenizer: Tokenizer, formatter: any PromptFormatter, toolFormatter: (any PromptFormatter)? = nil) {
        self.tokenizer = tokenizer
        self.formatter = formatter
        self.toolFormatter = toolFormatter
        controlTokens = ControlTokenTable(tokenizer)
    }

    /// The prompt for a request.
    ///
    /// - Throws: what the format throws, as ``LeapGenerationException``.
    package func build(_ request: Request) throws -> Prompt {
        let formatter = request.functions.isEmpty ? formatter : toolFormatter ?? formatter
        let literals = LiteralMarker(table: controlTokens)
        let context = context(for: request, formatter: formatter, literals: literals)
        let rendered: String
        do {
            rendered = try formatter.render(context)
        } catch let error as LeapException {
            throw error
        } catch {
            throw LeapGenerationException(
                message: "the chat format (\(formatter.origin)) cannot write these messages: \(error)", cause: error)
        }
        let (bytes, literalStarts) = literals.remove(from: rendered)
        var tokens = tokenizer.encode(utf8: bytes, addSpecial: false, literalStarts: literalStarts)
        if tokenizer.addsBOS, let bos = tokenizer.bosToken, tokens.first != bos { tokens.insert(bos, at: 0) }
        let text = String(decoding: bytes, as: UTF8.self)
        return Prompt(
            text: text, tokens: tokens, openReasoning: request.addGenerationPrompt ? Self.openReasoning(text) : nil)
    }

    private func context(
        for request: Request, formatter: any PromptFormatter, literals: LiteralMarker
    ) -> PromptContext {
        var messages = HistoryRules.withoutContinuations(request.messages)
        if !request.functions.isEmpty, !formatter.traits.takesTools {
            messages = ToolPreamble.added(to: messages, functions: request.functions, parser: request.parser)
        }
        if !formatter.traits.takesSystem { messages = SystemMessage.mergedIntoUser(messages) }
        var variables = request.variables
        for (name, token) in [("bos_token", tokenizer.bosToken), ("eos_token", tokenizer.eosToken)]
        where variables[name] == nil {
            variables[name] = .string(token.map { tokenizer.text(of: $0) } ?? "")
        }
        return PromptContext(
            messages: PromptMessages(traits: formatter.traits, parser: request.parser, literals: literals).objects(
                messages),
            tools: formatter.traits.takesTools ? request.functions.map { literals.mark($0.tool) } : [],
            addGenerationPrompt: request.addGenerationPrompt, variables: variables)
    }

    /// What ends a reply.
    package struct TurnEnds: Sendable {
        /// The tokens that the model's file declares, and those that the format writes after an assistant message.
        package var tokens: Set<TokenID>
        /// Marks of the format that are no tokens of the vocabulary.
        package var texts: [String]
    }

    /// What ends a reply.
    package var turnEnds: TurnEnds {
        var ends = TurnEnds(tokens: tokenizer.endTokens, texts: [])
        for mark in formatter.turnEnds + (toolFormatter?.turnEnds ?? []) {
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

    /// The end of a text from `<think>` on, if nothing but space follows that.
    private static func openReasoning(_ text: String) -> String? {
        let mark = "<think>"
        let trimmed = text.utf8.reversed().drop { ResponseParser.isSpace($0) }
        guard trimmed.starts(with: mark.utf8.reversed()) else { return nil }
        let length = text.utf8.count - trimmed.count + mark.utf8.count
        return String(decoding: text.utf8.suffix(length), as: UTF8.self)
    }
}
