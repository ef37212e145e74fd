import LeapGrammar
import LeapJSON
import LeapModel
import LeapOpenAIFormat

extension GenerationExtras {
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
            let member = Member(key: key, value: value)
            if let read = readers[key] {
                try read(&extras, member)
            } else if let parameter = SamplingParameter(nameOrKey: key) {
                extras.sampling[parameter] = try member.wanted(value.double, "a number")
            } else {
                unknown.append(key)
            }
        }
        guard extras.logprobs || extras.topLogprobs == 0 else {
            throw LeapGenerationException(
                "'topLogprobs' in the extras is \(extras.topLogprobs), but 'logprobs' is not true: set both")
        }
        return (extras, unknown)
    }

    private typealias Reader = @Sendable (inout GenerationExtras, Member) throws -> Void

    /// The readers of the keys; sampling parameters are read by their own names.
    private static let readers: [String: Reader] = Dictionary(
        (replyReaders + formReaders + tokenReaders + audioReaders).flatMap { keys, read in keys.map { ($0, read) } },
        uniquingKeysWith: { first, _ in first })

    /// The history, the prompt, functions and the end of a reply.
    private static let replyReaders: [([String], Reader)] = [
        (["toolChoice", OpenAI.Key.toolChoice], { $0.toolChoice = try $1.toolChoice() }),
        (["parallelToolCalls", OpenAI.Key.parallelToolCalls], { $0.parallelToolCalls = try $1.bool() }),
        (
            ["contextOverflow"],
            { $0.contextOverflowPolicy = try $1.choice("'fail' or 'trimOldestTurns'") as ContextOverflowPolicy }
        ),
        (
            ["stop"],
            {
                let stops = $1.value.string.map { [$0] } ?? $1.value.array?.compactMap(\.string)
                $0.stopSequences = try $1.wanted(stops, "a string or an array of strings")
            }
        ),
        (
            ["chatTemplateArguments", OpenAI.Key.templateArguments],
            { $0.templateArguments = try $1.wanted($1.value.object, "an object") }
        ),
        (["adapters"], { $0.adapters = try $1.wanted(AdapterChoice.read($1.value), AdapterChoice.expected) }),
    ]

    /// The form of the answer.
    private static let formReaders: [([String], Reader)] = [
        (["regex"], { $0.regex = try $1.wanted($1.value.string, "a regular expression as a string") }),
        (["grammar"], { $0.grammar = try $1.wanted($1.value.string, "a grammar in GBNF as a string") }),
        (
            ["relaxedKeywords", "relax"],
            {
                let names = $1.value.array?.compactMap(\.string)
                let all = names?.count == $1.value.array?.count ? names : nil
                $0.grammarOptions.relaxedKeywords = Set(try $1.wanted(all, "an array of keywords"))
            }
        ),
        (
            ["whitespace"],
            {
                switch $1.value {
                case "bounded": $0.grammarOptions.whitespace = .bounded
                case "none": $0.grammarOptions.whitespace = .none
                default: throw $1.expected("'bounded' or 'none'")
                }
            }
        ),
        (["openObjects"], { $0.grammarOptions.closesObjects = !(try $1.bool()) }),
    ]

    /// Single tokens, and how they are computed.
    private static let tokenReaders: [([String], Reader)] = [
        (["jumpForward"], { $0.jumpForward = try $1.bool() }),
        (["speculation"], { $0.speculation = try $1.wanted(Speculation(extras: $1.value), Speculation.expected) }),
        (["logprobs"], { $0.logprobs = try $1.bool() }),
        (
            ["topLogprobs", OpenAI.Key.topLogprobs],
            {
                let limit = TokenLikelihood.maxAlternatives
                $0.topLogprobs = try $1.integer(in: 0...limit, "a whole number from 0 to \(limit)")
            }
        ),
        (
            ["logitBias", OpenAI.Key.logitBias],
            { $0.logitBias = try $1.wanted(LogitBias($1.value), LogitBias.expected) }
        ),
        (["minTokens", OpenAI.Key.minTokens], { $0.minTokens = try $1.integer(in: 0...Int.max, "0 or more") }),
        (["thinkingBudget"], { $0.thinkingBudget = try $1.integer(in: 0...Int.max, "a whole number, 0 or more") }),
        (
            ["thinkingBudgetMessage"],
            { $0.thinkingBudgetMessage = try $1.wanted($1.value.string, "a string") }
        ),
        (
            ["thinkingBudgetScope"],
            { $0.thinkingBudgetScope = try $1.choice("'reply' or 'block'") as ThinkingBudgetScope }
        ),
        (["thinkingGrace"], { $0.thinkingGrace = try $1.integer(in: 0...Int.max, "a whole number, 0 or more") }),
        (["ignoreEos", OpenAI.Key.ignoresEnd], { $0.ignoresEnd = try $1.bool() }),
    ]

    /// Replies with speech.
    private static let audioReaders: [([String], Reader)] = [
        (["audioOrder"], { $0.audioOrder = try $1.choice("'sequential', 'interleaved' or 'off'") as AudioOrder }),
        (
            ["audioTemperature", "audio_temperature"],
            {
                let number = $1.value.double.flatMap { (0...100).contains($0) ? $0 : nil }
                $0.audioSampling[.temperature] = try $1.wanted(number, "a number from 0 to 100")
            }
        ),
        (
            ["audioTopK", "audio_top_k"],
            { $0.audioSampling[.topK] = Double(try $1.integer(in: 0...2049, "a whole number from 0 to 2049")) }
        ),
    ]

    /// A member of the extras.
    private struct Member {
        let key: String
        let value: JSONValue

        func expected(_ what: String) -> LeapGenerationException {
            LeapGenerationException(
                "'\(key)' in the extras is \(value.string.map { "'\($0)'" } ?? value.kind); expected \(what)")
        }

        /// Returns what was read of the value.
        ///
        /// - Throws: ``LeapGenerationException`` if that is nothing.
        func wanted<Read>(_ read: Read?, _ what: String) throws -> Read {
            guard let read else { throw expected(what) }
            return read
        }

        func bool() throws -> Bool { try wanted(value.bool, "true or false") }

        func integer(in range: ClosedRange<Int>, _ what: String) throws -> Int {
            try wanted(value.integer.flatMap { range.contains($0) ? $0 : nil }, what)
        }

        func choice<Choice: RawRepresentable<String>>(_ what: String) throws -> Choice {
            try wanted(value.string.flatMap(Choice.init(rawValue:)), what)
        }

        /// Nil for null.
        func toolChoice() throws -> ToolChoice? {
            if value == .null { return nil }
            if let word = value.string { return ToolChoice(word) }
            // The key as this SDK has it, whichever was written.
            let named = Member(key: "toolChoice", value: value)
            return try named.wanted(ToolChoice(openAI: value), "'auto', 'none', 'required' or a function's name")
        }
    }
}
