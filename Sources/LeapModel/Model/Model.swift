package import LeapGGUF
package import LeapTokenizer

/// A language model: its weights where they lie in the file, its numbers and its tokenizer.
///
/// Loading reads metadata and tensor names only; weights are read when they are first computed with. The model keeps
/// the file mapped while it lives. It is immutable and may be shared by any number of engines and threads.
package final class Model: Sendable {
    /// The file it came from.
    package let file: GGUFFile
    /// The file's name for its architecture, as in `lfm2`.
    package let architecture: String
    /// The name that the file gives the model.
    package let name: String?
    /// The longest sequence that it was trained on, in tokens.
    package let contextLength: Int
    /// The longest sequence that it can be asked for: what it was trained on, or what scaled positions allow.
    package let contextLimit: Int
    /// Logits of one position: token ids are 0..<vocabularySize.
    package let vocabularySize: Int
    /// Length of the vectors between the layers.
    package let embeddingLength: Int
    /// Number of layers.
    package let layerCount: Int
    /// Number of weights.
    package let parameterCount: Int
    /// Text to ids and back.
    package let tokenizer: Tokenizer
    /// Sampling parameters that the file recommends.
    package let samplingDefaults: SamplingValues
    /// Ids that may be sampled at all, nil for every one: padding entries after the vocabulary, unused ones and
    /// ``suppressedTokens`` may not.
    package let sampleableTokens: TokenMask?
    /// Ids whose logits count as minus infinity, ascending: those that the file lists as `tokenizer.ggml.suppress_tokens`.
    package let suppressedTokens: [TokenID]
    /// The method by which the vectors of a text become one, as the file says; nil where it says nothing.
    package let pooling: Pooling?
    /// The method by which the model ranks texts; nil where it is not made for that.
    package let ranking: RankingMethod?
    /// The method by which the model answers questions; nil where it is no decision model.
    package let decision: DecisionMethod?
    /// The layers, with the embedding table and the head: all that is computed.
    package let layers: LanguageModel

    /// True if the model writes text; those that see all positions of a text at once do not, nor those that project
    /// them elsewhere or make scores of them.
    package var generatesText: Bool {
        layers.stack.isCausal && layers.head != nil && layers.projections.isEmpty && layers.classifier == nil
    }
    /// True if texts are compared by a projected vector of each of their tokens (late interaction, as ColBERT).
    package var comparesTokens: Bool {
        !layers.projections.isEmpty && layers.classifier == nil && (pooling == nil || pooling == Pooling.none)
    }
    /// The context of an engine that is not asked for another one: what the model was trained on, or the tokens of a
    /// text that is computed as a whole.
    package var defaultContextSize: Int { layers.stack.isCausal ? contextLength : min(contextLength, 8192) }
    /// Length of the vectors that stand for texts.
    package var textVectorLength: Int { layers.projections.last?.rows ?? embeddingLength }

    /// Loads a model.
    ///
    /// - Parameters:
    ///   - useMmap: false reads the file into memory instead of mapping it.
    ///   - ropeScaling: how positions are stretched; nil as the file says.
    ///   - preTokenizer: the name of the rule that texts are cut by in place of the one that the file names.
    /// - Throws: `GGUFError`, `TokenizerError` or ``EngineError``.
    package static func load(
        path: String, useMmap: Bool = true, ropeScaling: RopeScaling? = nil, preTokenizer: String? = nil
    ) throws -> Model {
        try load(
            file: try GGUFFile.open(path: path, useMmap: useMmap), ropeScaling: ropeScaling, preTokenizer: preTokenizer)
    }

    /// Loads the model of an open file.
    ///
    /// - Throws: `TokenizerError` or ``EngineError``.
    package static func load(
        file: GGUFFile, ropeScaling: RopeScaling? = nil, preTokenizer: String? = nil
    ) throws -> Model {
        try Model(file: file, ropeScaling: try ropeScaling?.validated(), preTokenizer: preTokenizer)
    }

    private init(file: GGUFFile, ropeScaling: RopeScaling?, preTokenizer: String?) throws {
        self.file = file
        var (architecture, parts, layers) = try Architectures.describe(file)
        try parts.addDecisionHead(to: &layers)
        if let ropeScaling, !layers.stack.ropes.isEmpty {
            let trained = try RopeSpecification.originalContext(parts.reader) ?? parts.common.contextLength
            layers.stack.ropes = layers.stack.ropes.map { $0.scaled(ropeScaling, trained: trained) }
            contextLimit = ropeScaling.contextLimit(trained: trained)
        } else {
            contextLimit = parts.common.contextLength
        }
        layers.projections = try parts.projections()
        layers.classifier = try parts.classifier(of: layers)
        layers.maskedWords = try parts.maskedWords(of: layers)
        pooling = try Pooling(parts.reader)
        self.architecture = architecture
        self.layers = layers
        name = try file.metadata.string("general.name")
        contextLength = parts.common.contextLength
        vocabularySize = parts.vocabularySize
        embeddingLength = parts.common.embedding
        layerCount = parts.common.layers
        parameterCount = file.tensors.reduce(0) { $0 + $1.elementCount }
        tokenizer = try Tokenizer(metadata: file.metadata, fileStaysOpen: true, preTokenizer: preTokenizer)
        ranking = try RankingMethod(parts, classifier: layers.classifier, layers: layers, tokenizer: tokenizer)
        var decision = try DecisionMethod(file.metadata, architecture: architecture)
        if let type = decision?.type { decision?.layout = try MaskLayout(type, tokenizer, parts.reader) }
        self.decision = decision
        guard tokenizer.vocabularySize <= vocabularySize else {
            throw EngineError(
                .invalidTensor,
                "tensor token_embd.weight has \(vocabularySize) rows but the vocabulary has \(tokenizer.vocabularySize) tokens: it needs one row for each",
                field: "token_embd.weight")
        }
        samplingDefaults = try SamplingValues(file.metadata, contextLength: contextLength)
        suppressedTokens = try Self.suppressedTokens(file.metadata, vocabularySize: tokenizer.vocabularySize)
        sampleableTokens = try Self.sampleableTokens(tokenizer, count: vocabularySize, suppressed: suppressedTokens)
    }

    /// Checks that ids are of this model.
    ///
    /// - Throws: ``EngineError`` with code `tokenOutOfRange` that names the first one that is not.
    package func validate(_ tokens: [TokenID]) throws(EngineError) { try validate(tokens[...]) }

    /// Checks that ids are of this model.
    package func validate(_ tokens: ArraySlice<TokenID>) throws(EngineError) {
        for (index, token) in zip(tokens.indices, tokens) where token < 0 || Int(token) >= vocabularySize {
            throw .tokenOutOfRange(token, at: index, vocabularySize: vocabularySize)
        }
    }
}
