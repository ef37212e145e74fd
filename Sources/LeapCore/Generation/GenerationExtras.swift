package import LeapEngine
package import LeapGrammar
package import LeapJSON
package import LeapModel
import LeapOpenAIFormat

/// The generation options without a property of their own, as values: what ``GenerationOptions/extras`` asks for.
///
/// Apps write them as text, which is read once, when a turn is planned; modules above this one set them as they are.
package struct GenerationExtras: Sendable, Hashable, Codable {
    /// The choice that the model has of functions: any, one of them, a certain one, or none.
    package enum ToolChoice: Sendable, Hashable, Codable {
        /// The model decides; what it calls is well-formed.
        case auto
        /// None; the functions are not shown to it.
        case none
        /// At least one, whichever.
        case required
        /// This one.
        case function(String)

        /// Reads a word of it: "auto", "none", "required", or a function's name.
        package init(_ word: String) {
            switch word {
            case "auto": self = .auto
            case "none": self = .none
            case "required", "any": self = .required
            default: self = .function(word)
            }
        }
    }

    /// `toolChoice`: "auto", "none", "required", a function's name, or OpenAI's
    /// `{"type":"function","function":{"name":…}}`; it is enforced.
    ///
    /// nil is "auto" where one of the SDK's parsers reads the calls and the reply is not spoken: only functions that
    /// are there are called.
    package var toolChoice: ToolChoice?
    /// `parallelToolCalls`: false for at most one call in a reply, which is enforced; a reply may have several
    /// otherwise.
    package var parallelToolCalls = true
    /// `contextOverflow`: "fail" or "trimOldestTurns"; nil where it is not given.
    package var contextOverflowPolicy: ContextOverflowPolicy?
    /// `stop`: a string or an array of strings.
    package var stopSequences: [String] = []
    /// `chatTemplateArguments`: an object; its members reach the chat template as variables.
    package var templateArguments: JSONObject = [:]
    /// `regex`: an ECMAScript regular expression that the whole answer matches.
    package var regex: String?
    /// `grammar`: a grammar in GBNF, llama.cpp's notation, that the whole answer follows.
    package var grammar: String?
    /// `relaxedKeywords`: keywords of the JSON Schema that are not enforced; `whitespace`: "bounded" or "none";
    /// `openObjects`: true for objects with any further members, where their schema does not say whether there may be
    /// more.
    ///
    /// Objects are closed unless it is true: a model that may add members does, and readers rarely want them.
    package var grammarOptions = GrammarOptions(closesObjects: true)
    /// `jumpForward`: whether forced tokens are computed in one batch; the answer is the same either way.
    package var jumpForward = true
    /// `speculation`: how tokens are proposed that are checked together; nil as the model was loaded.
    package var speculation: Speculation?
    /// `adapters`: which of the adapters beside the model are used; nil for all, as they were loaded.
    package var adapters: [AdapterChoice]?
    /// `logprobs`: whether the log probability of each token is reported.
    package var logprobs = false
    /// `topLogprobs`: how many of the most likely tokens are reported with it, 0 to 20; without `logprobs` only 0.
    package var topLogprobs = 0
    /// `logitBias`: what is added to the logits of tokens; see ``LogitBias``.
    package var logitBias = LogitBias()
    /// `minTokens`: so many tokens come before the reply may end by itself, as far as a form of it has that many.
    package var minTokens = 0
    /// `ignoreEos`: whether the reply never ends by itself, but where a form of it does.
    package var ignoresEnd = false
    /// `audioOrder`: "sequential", "interleaved" or "off": whether and in which order a model that speaks writes text
    /// and speech; nil by the system message.
    package var audioOrder: AudioOrder?
    /// `audioTemperature` and `audioTopK`: how codes of speech are drawn; 0.8 and 64, or 1 and 4 where speech and text
    /// are interleaved.
    package var audioSampling = SamplingValues()
    /// Sampling parameters by their names or keys, `frequencyPenalty` and `frequency_penalty` and so on; see
    /// ``SamplingParameter``.
    package var sampling = SamplingValues()
    /// The beginning of the reply that there is already; nil for a reply from its start.
    ///
    /// The model goes on behind it, and the reply is what it adds. It has no key.
    package var replyStart: String?

    package init() {}

    /// Reads the extras.
    ///
    /// - Parameter values: what counts where the text says nothing.
    /// - Returns: the extras and the keys that are not known.
    /// - Throws: ``LeapGenerationException`` that names the key at fault.
    package static func parse(
        _ text: String?, over values: GenerationExtras = GenerationExtras()
    ) throws -> (extras: GenerationExtras, unknownKeys: [String]) {
        var extras = values
        guard let text, !text.allSatisfy(\.isWhitespace) else { return (extras, []) }
        let value: JSONValue
        do {
            value = try JSONParser.parse(text)
        } catch {
            throw LeapGenerationException("the extras are not JSON: \(error)", cause: error)
        }
        guard let object = value.object else {
            throw LeapGenerationException("the extras are \(value.kind); expected a JSON object")
        }
        var unknown: [String] = []
        for (key, value) in object.members {
            switch key {
            case "toolChoice", OpenAI.Key.toolChoice: extras.toolChoice = value == .null ? nil : try toolChoice(value)
            case "parallelToolCalls", OpenAI.Key.parallelToolCalls:
                guard case .bool(let isOn) = value else { throw expected("true or false", value, key) }
                extras.parallelToolCalls = isOn
            case "contextOverflow":
                guard let policy = value.string.flatMap(ContextOverflowPolicy.init(rawValue:)) else {
                    throw expected("'fail' or 'trimOldestTurns'", value, key)
                }
                extras.contextOverflowPolicy = policy
            case "stop":
                guard let stops = value.string.map({ [$0] }) ?? value.array?.compactMap(\.string) else {
                    throw expected("a string or an array of strings", value, key)
                }
                extras.stopSequences = stops
            case "chatTemplateArguments", OpenAI.Key.templateArguments:
                guard let arguments = value.object else { throw expected("an object", value, key) }
                extras.templateArguments = arguments
            case "regex":
                guard let pattern = value.string else { throw expected("a regular expression as a string", value, key) }
                extras.regex = pattern
            case "grammar":
                guard let text = value.string else { throw expected("a grammar in GBNF as a string", value, key) }
                extras.grammar = text
            case "relaxedKeywords", "relax":
                guard let names = value.array?.compactMap(\.string), names.count == value.array?.count else {
                    throw expected("an array of keywords", value, key)
                }
                extras.grammarOptions.relaxedKeywords = Set(names)
            case "whitespace":
                switch value {
                case "bounded": extras.grammarOptions.whitespace = .bounded
                case "none": extras.grammarOptions.whitespace = .none
                default: throw expected("'bounded' or 'none'", value, key)
                }
            case "openObjects":
                guard case .bool(let isOn) = value else { throw expected("true or false", value, key) }
                extras.grammarOptions.closesObjects = !isOn
            case "jumpForward":
                guard case .bool(let isOn) = value else { throw expected("true or false", value, key) }
                extras.jumpForward = isOn
            case "adapters":
                guard let choices = AdapterChoice.read(value) else {
                    throw expected(AdapterChoice.expected, value, key)
                }
                extras.adapters = choices
            case "speculation":
                guard let speculation = Speculation(extras: value) else {
                    throw expected(Speculation.expected, value, key)
                }
                extras.speculation = speculation
            case "logprobs":
                guard case .bool(let isOn) = value else { throw expected("true or false", value, key) }
                extras.logprobs = isOn
            case "logitBias", OpenAI.Key.logitBias:
                guard let bias = LogitBias(value) else { throw expected(LogitBias.expected, value, key) }
                extras.logitBias = bias
            case "minTokens", OpenAI.Key.minTokens:
                guard let count = value.integer, count >= 0 else { throw expected("0 or more", value, key) }
                extras.minTokens = count
            case "ignoreEos", OpenAI.Key.ignoresEnd:
                guard case .bool(let isOn) = value else { throw expected("true or false", value, key) }
                extras.ignoresEnd = isOn
            case "audioOrder":
                guard let order = value.string.flatMap(AudioOrder.init(rawValue:)) else {
                    throw expected("'sequential', 'interleaved' or 'off'", value, key)
                }
                extras.audioOrder = order
            case "audioTemperature", "audio_temperature":
                guard let number = value.double, (0...100).contains(number) else {
                    throw expected("a number from 0 to 100", value, key)
                }
                extras.audioSampling[.temperature] = number
            case "audioTopK", "audio_top_k":
                guard let count = value.integer, (0...2049).contains(count) else {
                    throw expected("a whole number from 0 to 2049", value, key)
                }
                extras.audioSampling[.topK] = Double(count)
            case "topLogprobs", OpenAI.Key.topLogprobs:
                guard let count = value.integer, (0...TokenLikelihood.maxAlternatives).contains(count) else {
                    throw expected("a whole number from 0 to \(TokenLikelihood.maxAlternatives)", value, key)
                }
                extras.topLogprobs = count
            default:
                guard let parameter = SamplingParameter(nameOrKey: key) else {
                    unknown.append(key)
                    continue
                }
                guard let number = value.double else { throw expected("a number", value, key) }
                extras.sampling[parameter] = number
            }
        }
        guard extras.logprobs || extras.topLogprobs == 0 else {
            throw LeapGenerationException(
                "'topLogprobs' in the extras is \(extras.topLogprobs), but 'logprobs' is not true: set both")
        }
        return (extras, unknown)
    }

    private static func toolChoice(_ value: JSONValue) throws -> ToolChoice {
        if let word = value.string { return ToolChoice(word) }
        guard let choice = ToolChoice(openAI: value) else {
            throw expected("'auto', 'none', 'required' or a function's name", value, "toolChoice")
        }
        return choice
    }

    private static func expected(_ what: String, _ value: JSONValue, _ key: String) -> LeapGenerationException {
        LeapGenerationException(
            "'\(key)' in the extras is \(value.string.map { "'\($0)'" } ?? value.kind); expected \(what)")
    }
}
