import Foundation
import LeapJSON
import LeapModel
import LeapTemplate
package import LeapTokenizer

/// Writes the prompts of one model: messages to the text that it was trained on.
///
/// The only way there is: conversations tokenize what this writes, and `leap render` prints it.
package struct PromptRenderer: Sendable {
    /// A prompt as text.
    package struct Text: Sendable {
        /// The text in UTF-8, special tokens spelled out.
        var bytes: [UInt8]
        /// The bytes where no special token may begin, as they come from outside.
        var literalStarts: Set<Int>
        /// Pictures, sounds and videos, and the bytes that each comes in front of.
        var media: [(place: Int, medium: Medium, data: Data)] = []
        /// The text, special tokens spelled out.
        package var string: String {
            var text = ""
            var start = 0
            for item in media {
                text += String(decoding: bytes[start..<item.place], as: UTF8.self)
                text += "<\(item.medium.shownName)>"
                start = item.place
            }
            return text + String(decoding: bytes[start...], as: UTF8.self)
        }
    }

    package let formatter: any PromptFormatter
    /// The format for prompts with functions, where the model has one of its own.
    let toolFormatter: (any PromptFormatter)?
    /// The syntax that the model calls functions in.
    package let callStyle: any CallStyle
    /// True if the model shows that syntax itself; otherwise it is one that most models can be told.
    package let showsCallStyle: Bool
    /// The channels that the model's turns are made of; nil where they are text.
    package let channels: ChannelFormat?
    /// The marks around the model's reasoning.
    package let reasoning: ReasoningMarks
    /// The control tokens, which text from outside must not spell.
    package let controlTokens: ControlTokenTable
    /// The span of sounds; nil where they stand alone.
    var soundSpan: SoundSpan?
    /// The texts of the tokens that templates read as `bos_token` and `eos_token`; empty without a vocabulary.
    private let specialTokens: JSONObject

    /// Makes a renderer.
    ///
    /// - Parameter tokenizer: the model's; without one the prompt has no special tokens.
    package init(
        tokenizer: Tokenizer?, formatter: any PromptFormatter, toolFormatter: (any PromptFormatter)? = nil
    ) {
        self.formatter = formatter
        self.toolFormatter = toolFormatter
        controlTokens = tokenizer.map { ControlTokenTable($0) } ?? ControlTokenTable()
        var special: JSONObject = [:]
        if let tokenizer {
            for (name, token) in [("bos_token", tokenizer.bosToken), ("eos_token", tokenizer.eosToken)] {
                special[name] = .string(token.map { tokenizer.text(of: $0) } ?? "")
            }
        }
        specialTokens = special
        let known = CallStyles.marks.filter { tokenizer?.token(for: $0) != nil }
        let written = (toolFormatter?.callEvidence ?? []) + formatter.callEvidence
        let evidence = written + [known.joined(separator: "\n")]
        channels = ChannelFormat(tokenizer, evidence: written)
        reasoning = ReasoningMarks.found(in: written)
        showsCallStyle = CallStyles.shown(in: evidence) != nil
        callStyle = CallStyles.find(in: evidence)
    }

    /// The parser that an option stands for: the model's own in place of ``LeapFunctionCallParser/automatic``.
    package func parser(
        for option: (any LeapFunctionCallParserProtocol)?
    ) -> (any LeapFunctionCallParserProtocol)? {
        option is AutomaticFunctionCallParser ? callStyle : option
    }

    /// The prompt for a request.
    ///
    /// - Throws: What the format throws, as ``LeapGenerationException``.
    package func render(_ request: PromptRequest) throws -> Text {
        var request = request
        if let style = (parser(for: request.parser) ?? callStyle) as? any CallStyle {
            let names = CallNames(request.functions, rule: style.nameRule)
            request.functions = names.spelled(request.functions)
            request.messages = names.spelled(request.messages)
        }
        let formatter = request.functions.isEmpty ? formatter : toolFormatter ?? formatter
        do {
            do {
                return try lenientText(of: request, by: formatter)
            } catch let refusal as TemplateError where refusal.code == .raised {
                guard let text = repairedText(of: request, by: formatter) else { throw refusal }
                return text
            }
        } catch let error as LeapException {
            throw error
        } catch {
            throw LeapGenerationException(
                message: "the chat format (\(formatter.origin)) cannot write these messages: \(error)", cause: error)
        }
    }

    private func text(
        of request: PromptRequest, by formatter: any PromptFormatter, isStrict: Bool = false
    ) throws -> Text {
        let literals = LiteralMarker(table: controlTokens, soundSpan: soundSpan)
        let traits = isStrict ? formatter.traits.strict : formatter.traits
        let messages = messages(of: request, traits: traits)
        var context = context(for: request, messages, traits: traits, literals: literals)
        context.isStrict = isStrict
        let (bytes, literalStarts, places) = literals.remove(from: try formatter.render(context))
        let media = messages.flatMap(\.media)
        guard places.map(\.medium) == media.map(\.medium) else {
            throw LeapGenerationException(
                "the chat format (\(formatter.origin)) has placeholders for \(places.count) of \(media.count) images, audio parts and videos: it cannot write these messages"
            )
        }
        return Text(
            bytes: bytes, literalStarts: literalStarts,
            media: zip(places, media).map { (place: $0.place, medium: $0.medium, data: $1.data) })
    }

    /// Returns the text of a request that the format refuses, with as little changed as it takes; nil where none of it
    /// helps.
    private func repairedText(of request: PromptRequest, by formatter: any PromptFormatter) -> Text? {
        // The probes did not show the demand: perhaps it is kept to where every known one is.
        if let text = try? lenientText(of: request, by: formatter, isStrict: true) { return text }
        for messages in HistoryRepair.attempts(request.messages) {
            var repaired = request
            repaired.messages = messages
            for isStrict in [false, true] {
                if let text = try? lenientText(of: repaired, by: formatter, isStrict: isStrict) { return text }
            }
        }
        return nil
    }

    /// Returns the text that the format writes.
    ///
    /// If the format fails, it is tried again with less: calls' arguments that are text become objects, and schemas of
    /// functions become the part of them that typed parameters express. Some formats take nothing else.
    private func lenientText(
        of request: PromptRequest, by formatter: any PromptFormatter, isStrict: Bool = false
    ) throws -> Text {
        do {
            return try text(of: request, by: formatter, isStrict: isStrict)
        } catch {
            var plain = request
            plain.messages = request.messages.map(\.withArgumentObjects)
            plain.functions = request.functions.map { function in
                function.source.isModelled
                    ? function
                    : LeapFunction(
                        name: function.name, description: function.description, parameters: function.parameters)
            }
            guard plain.messages != request.messages || plain.functions != request.functions else { throw error }
            return try text(of: plain, by: formatter, isStrict: isStrict)
        }
    }

    /// The history as the format has places for it.
    private func messages(of request: PromptRequest, traits: PromptTraits) -> [ChatMessage] {
        var messages = HistoryShape(traits: traits).applied(to: HistoryRules.withoutContinuations(request.messages))
        if !request.functions.isEmpty, !traits.takesTools {
            messages = ToolPreamble.added(
                to: messages, functions: request.functions, parser: parser(for: request.parser) ?? callStyle)
        }
        return traits.takesSystem ? messages : SystemMessage.mergedIntoUser(messages)
    }

    private func context(
        for request: PromptRequest, _ messages: [ChatMessage], traits: PromptTraits, literals: LiteralMarker
    ) -> PromptContext {
        // Without a parser calls stay in the text, and are written as the model writes them.
        let parser = parser(for: request.parser) ?? callStyle
        var variables = request.variables
        for (name, text) in specialTokens.members where variables[name] == nil { variables[name] = text }
        return PromptContext(
            messages: PromptMessages(traits: traits, parser: parser, literals: literals).objects(messages),
            tools: traits.takesTools ? request.functions.map { literals.mark($0.tool) } : [],
            addGenerationPrompt: request.addGenerationPrompt, variables: variables)
    }
}

extension Medium {
    /// The name in a prompt that is shown.
    fileprivate var shownName: String {
        switch self {
        case .image: "image"
        case .audio, .speech: "audio"
        case .video: "video"
        }
    }
}
