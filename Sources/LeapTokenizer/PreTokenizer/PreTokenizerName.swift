/// The meaning of a value of `tokenizer.ggml.pre`.
struct PreTokenizerName: Sendable {
    private let rules: @Sendable () -> PreTokenizer
    /// True if a piece that is a token as a whole is taken as it is, whatever the merges say.
    var ignoresMerges = false
    /// True if a BOS token is added where the file does not say.
    var addsBOS = false

    /// The rules, made when they are asked for: their tables of characters are not needed to load a model.
    var preTokenizer: PreTokenizer { rules() }

    /// The meaning of `name`, or nil if it is not known.
    init?(_ name: String) {
        guard let (rules, traits) = Self.table[name] else { return nil }
        self.rules = rules
        ignoresMerges = traits.contains(.ignoresMerges)
        addsBOS = traits.contains(.addsBOS)
    }

    private init(rules: @escaping @Sendable () -> PreTokenizer) { self.rules = rules }

    /// The rule for a file that names none that is known.
    static let standard = PreTokenizerName { .standard }

    private struct Traits: OptionSet {
        let rawValue: Int
        static let ignoresMerges = Traits(rawValue: 1)
        static let addsBOS = Traits(rawValue: 2)
    }

    /// Every name that has a rule here.
    static var knownNames: [String] { table.keys.sorted() }

    private static let table: [String: (@Sendable () -> PreTokenizer, Traits)] = {
        var table: [String: (@Sendable () -> PreTokenizer, Traits)] = [:]
        func add(
            _ rules: @escaping @autoclosure @Sendable () -> PreTokenizer, _ traits: Traits = [], _ names: String...
        ) {
            for name in names { table[name] = (rules, traits) }
        }
        add(.standard, [], "default")
        add(
            .gpt2, [], "gpt-2", "phi-2", "mpt", "olmo", "jais", "trillion", "granite-docling", "exaone4", "gigachat",
            "mellum",
            "a.x-4.0", "modern-bert", "roberta-bpe", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de",
            "jina-v2-code")
        add(
            .starCoder, [], "starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2"
        )
        add(
            .llama3, [.ignoresMerges, .addsBOS], "llama-bpe", "llama3", "llama-v3", "lfm2", "falcon3", "falcon-h1",
            "pixtral",
            "midm-2.0", "jina-v5-nano")
        add(.llama3, [], "dbrx", "smaug-bpe", "chatglm-bpe", "glm4")
        add(
            .qwen2, [], "qwen2", "stablelm2", "hunyuan", "megrez", "deepseek-r1-qwen", "kormo", "f2llmv2", "solar-open",
            "grok-2",
            "bailingmoe", "bailingmoe2", "llada-moe")
        add(.qwen35, [], "qwen35")
        add(.ufakzeka, [], "ufakzeka")
        add(.seedCoder, [], "seed-coder")
        add(.exaoneMoE, [], "exaone-moe")
        add(.miniCPM5, [.ignoresMerges], "minicpm5")
        add(.laguna, [], "laguna")
        add(.gpt4o, [], "gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2")
        add(.gpt4o, [.ignoresMerges], "granite-embed-multi-97m")
        add(.tekken, [.ignoresMerges, .addsBOS], "tekken")
        add(.kimiK2, [], "kimi-k2")
        add(.tinyAya, [], "tiny_aya", "cohere2moe")
        add(.superBPE, [], "superbpe")
        add(.deepSeekLLM, [], "deepseek-llm")
        add(.deepSeekCoder, [], "deepseek-coder")
        add(.deepSeekV3, [], "deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4")
        add(.falcon, [], "falcon")
        add(.bloom, [], "bloom", "poro-chat", "gpt3-finnish")
        add(.viking, [], "viking")
        return table
    }()
}
