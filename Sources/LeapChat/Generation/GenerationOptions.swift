package import LeapBase
package import LeapModel

/// Options for generating a reply.
///
/// ```swift
/// let options = GenerationOptions()
///     .with(temperature: 0.3)
///     .with(maxTokens: 256)
/// ```
/// If an option is nil, its value comes from the model's manifest, else from its file, else from the engine. A
/// generation reads its options once, when it starts; later changes apply to the next generation. You can change
/// options from any task.
public class GenerationOptions: @unchecked Sendable {
    // Sendable although it can be changed: all of its state is behind a lock.
    package let state: Locked<GenerationSettings>

    /// Creates options.
    ///
    /// - Parameters:
    ///   - temperature: 0 always takes the most likely token; higher values are more random.
    ///   - topP: samples from the most likely tokens that together have this probability, 0...1.
    ///   - minP: excludes tokens less likely than this fraction of the most likely token, 0...1.
    ///   - repetitionPenalty: 1 for none; higher values make repeated tokens less likely.
    ///   - topK: samples from this many of the most likely tokens; 0 for all.
    ///   - rngSeed: the seed; the same seed gives the same reply.
    ///   - jsonSchemaConstraint: a JSON Schema that the reply validates against.
    ///   - functionCallParser: reads function calls; by default the parser of the model's own syntax. With nil, calls
    ///     stay in the text.
    ///   - injectSchemaIntoPrompt: whether the system message also shows the schema to the model.
    ///   - maxTokens: the maximum number of reply tokens.
    ///   - inlineThinkingTags: whether reasoning stays in the text, with its marks.
    ///   - enableThinking: whether to ask a reasoning model to think.
    ///   - extras: a JSON object with options that have no property here; the page “Conversations” of `LeapSDK` lists
    ///     them.
    public init(
        temperature: Float? = nil,
        topP: Float? = nil,
        minP: Float? = nil,
        repetitionPenalty: Float? = nil,
        topK: Int32? = nil,
        rngSeed: Int64? = nil,
        jsonSchemaConstraint: String? = nil,
        functionCallParser: LeapFunctionCallParser? = .automatic,
        injectSchemaIntoPrompt: Bool = true,
        maxTokens: Int32? = nil,
        inlineThinkingTags: Bool = false,
        enableThinking: Bool = false,
        extras: String? = nil
    ) {
        state = Locked(
            GenerationSettings(
                sampling: SamplingValues(
                    temperature: temperature, topP: topP, minP: minP, repetitionPenalty: repetitionPenalty, topK: topK,
                    rngSeed: rngSeed), schema: jsonSchemaConstraint.map { ReplySchema(text: $0) },
                functionCallParser: functionCallParser,
                injectSchemaIntoPrompt: injectSchemaIntoPrompt, maxTokens: maxTokens,
                inlineThinkingTags: inlineThinkingTags, enableThinking: enableThinking, extras: extras))
    }

    /// Creates options with a parser that is not a subclass of ``LeapFunctionCallParser``.
    @_disfavoredOverload
    public convenience init(
        temperature: Float? = nil,
        topP: Float? = nil,
        minP: Float? = nil,
        repetitionPenalty: Float? = nil,
        jsonSchemaConstraint: String? = nil,
        functionCallParser: (any LeapFunctionCallParserProtocol)?
    ) {
        self.init(
            temperature: temperature, topP: topP, minP: minP, repetitionPenalty: repetitionPenalty,
            jsonSchemaConstraint: jsonSchemaConstraint, functionCallParser: nil)
        state.withLock { $0.functionCallParser = functionCallParser }
    }

    package init(settings: GenerationSettings) {
        state = Locked(settings)
    }

    /// The sampling temperature: 0 always takes the most likely token; higher values are more random.
    public var temperature: Float? {
        get { state.withLock { $0.sampling.temperature } }
        set { state.withLock { $0.sampling.temperature = newValue } }
    }

    /// The top-p of sampling, 0...1: samples from the most likely tokens that together have this probability.
    public var topP: Float? {
        get { state.withLock { $0.sampling.topP } }
        set { state.withLock { $0.sampling.topP = newValue } }
    }

    /// The min-p of sampling, 0...1: excludes tokens less likely than this fraction of the most likely token.
    public var minP: Float? {
        get { state.withLock { $0.sampling.minP } }
        set { state.withLock { $0.sampling.minP = newValue } }
    }

    /// The repetition penalty: 1 is none; higher values make repeated tokens less likely.
    public var repetitionPenalty: Float? {
        get { state.withLock { $0.sampling.repetitionPenalty } }
        set { state.withLock { $0.sampling.repetitionPenalty = newValue } }
    }

    /// The top-k of sampling: samples from this many of the most likely tokens; 0 for all.
    public var topK: Int32? {
        get { state.withLock { $0.sampling.topK } }
        set { state.withLock { $0.sampling.topK = newValue } }
    }

    /// The seed of sampling: the same seed gives the same reply; nil for a different reply each time.
    public var rngSeed: Int64? {
        get { state.withLock { $0.sampling.rngSeed } }
        set { state.withLock { $0.sampling.rngSeed = newValue } }
    }

    /// A JSON Schema that the reply validates against.
    public var jsonSchemaConstraint: String? {
        get { state.withLock { $0.jsonSchemaConstraint } }
        set { state.withLock { $0.jsonSchemaConstraint = newValue } }
    }

    /// A JSON Schema that the reply validates against, as text or as a value.
    package var schema: ReplySchema? {
        get { state.withLock { $0.schema } }
        set { state.withLock { $0.schema = newValue } }
    }

    /// The parser of function calls; by default that of the model's own syntax.
    ///
    /// The default is ``LeapFunctionCallParser/automatic``. With nil, calls stay in the text. The property is also nil
    /// if you set a parser that is not a subclass of ``LeapFunctionCallParser``.
    public var functionCallParser: LeapFunctionCallParser? {
        get { state.withLock { $0.functionCallParser as? LeapFunctionCallParser } }
        set { state.withLock { $0.functionCallParser = newValue } }
    }

    /// A Boolean value that indicates whether the system message also shows the schema to the model.
    public var injectSchemaIntoPrompt: Bool {
        get { state.withLock { $0.injectSchemaIntoPrompt } }
        set { state.withLock { $0.injectSchemaIntoPrompt = newValue } }
    }

    /// The maximum number of reply tokens; nil for as many as the context holds.
    public var maxTokens: Int32? {
        get { state.withLock { $0.maxTokens } }
        set { state.withLock { $0.maxTokens = newValue } }
    }

    /// A Boolean value that indicates whether reasoning stays in the text, with its marks.
    ///
    /// ``ChatMessage/reasoningContent`` has the reasoning in either case.
    public var inlineThinkingTags: Bool {
        get { state.withLock { $0.inlineThinkingTags } }
        set { state.withLock { $0.inlineThinkingTags = newValue } }
    }

    /// A Boolean value that indicates whether to ask a reasoning model to think.
    ///
    /// It reaches the chat template as `enable_thinking`.
    public var enableThinking: Bool {
        get { state.withLock { $0.enableThinking } }
        set { state.withLock { $0.enableThinking = newValue } }
    }

    /// A JSON object with options that have no property here.
    public var extras: String? {
        get { state.withLock { $0.extras } }
        set { state.withLock { $0.extras = newValue } }
    }

    /// Further options as values; what ``extras`` says counts before them.
    package var further: GenerationExtras {
        get { state.withLock { $0.further } }
        set { state.withLock { $0.further = newValue } }
    }

    /// Reads the text of ``extras`` into ``further``.
    ///
    /// - Throws: ``LeapGenerationException`` that names the key at fault.
    package func readExtras() throws { try state.withLock { try $0.readExtras() } }

    /// The policy for prompts that exceed the context.
    public var contextOverflowPolicy: ContextOverflowPolicy {
        get { state.withLock { $0.contextOverflowPolicy } }
        set { state.withLock { $0.contextOverflowPolicy = newValue } }
    }

    /// Texts that end the reply when they appear outside of reasoning and calls; the reply does not include them.
    public var stopSequences: [String] {
        get { state.withLock { $0.stopSequences } }
        set { state.withLock { $0.stopSequences = newValue } }
    }

    /// A Boolean value that indicates whether the history keeps an interrupted reply; false by default.
    public var keepsInterruptedReply: Bool {
        get { state.withLock { $0.keepsInterruptedReply } }
        set { state.withLock { $0.keepsInterruptedReply = newValue } }
    }

    /// The policy for a generation that starts while another one of the conversation is running.
    public var whileGenerating: WhileGenerating {
        get { state.withLock { $0.whileGenerating } }
        set { state.withLock { $0.whileGenerating = newValue } }
    }
}

/// The values of ``GenerationOptions`` at one moment.
package struct GenerationSettings: Sendable {
    package var sampling = SamplingValues()
    /// The JSON Schema that the reply follows; nil for none.
    package var schema: ReplySchema?
    package var functionCallParser: (any LeapFunctionCallParserProtocol)? = LeapFunctionCallParser.automatic
    package var injectSchemaIntoPrompt = true
    package var maxTokens: Int32?
    package var inlineThinkingTags = false
    package var enableThinking = false
    /// Further options as an app wrote them; they count before ``further``.
    package var extras: String?
    /// Further options as values.
    package var further = GenerationExtras()
    package var contextOverflowPolicy = ContextOverflowPolicy.fail
    package var stopSequences: [String] = []
    package var whileGenerating = WhileGenerating.ignore
    package var keepsInterruptedReply = false
}

extension GenerationSettings {
    /// The JSON Schema that the reply follows, as text.
    package var jsonSchemaConstraint: String? {
        get { schema?.text }
        set { schema = newValue.map { ReplySchema(text: $0) } }
    }

    /// The values of options that nothing was set in.
    package static var standard: GenerationSettings { GenerationSettings() }

    /// Reads the text of further options into ``further``; keys that are not known are logged.
    ///
    /// - Throws: ``LeapGenerationException`` that names the key at fault.
    package mutating func readExtras() throws {
        let unknownKeys: [String]
        (further, unknownKeys) = try GenerationExtras.parse(extras, over: further)
        extras = nil
        for key in unknownKeys {
            LeapLog.logger.warning("'\(key)' in the extras is not known and has no effect")
        }
    }
}
