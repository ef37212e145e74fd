import LeapBase
import LeapGGUF
import LeapTokenizer

extension RankingMethod {
    /// The metadata key of the template that a file has for this.
    static let templateKey = "tokenizer.chat_template.rerank"

    /// The template that the Qwen3 rerankers (Alibaba, 2025) were trained with, for files that do not bring it along.
    private static let qwenTemplate =
        "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct provided. "
        + "Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n<|im_start|>user\n<Instruct>: Given a web search query, "
        + "retrieve relevant passages that answer the query\n<Query>: {query}\n<Document>: {document}<|im_end|>\n"
        + "<|im_start|>assistant\n<think>\n\n</think>\n\n"

    /// Reads the ranking method of a file's model; nil where it is not made for that.
    ///
    /// - Throws: ``EngineError`` for a model that ranks in a way that is not known.
    init?(_ parts: DecoderParts, classifier: Classifier?, layers: LanguageModel, tokenizer: Tokenizer) throws {
        let metadata = parts.reader.metadata
        var template = try metadata.string(Self.templateKey)
        let isQwen = parts.reader.architecture == Qwen3.name
        if template == nil, isQwen { template = Self.qwenTemplate }
        if let classifier {
            if let template { try Self.check(template) }
            let (relevant, irrelevant) = try Self.scores(of: classifier, isCausal: layers.stack.isCausal, parts)
            self.init(template: template, relevant: relevant, irrelevant: irrelevant)
            return
        }
        guard layers.stack.isCausal, layers.head != nil else { return nil }
        guard try parts.ranks() else {
            // Files that do not say so by their pooling may by their template, or their name; any other is no reranker.
            let isNamed = (try metadata.string("general.name") ?? "").lowercased().contains("rerank")
            guard let template, try metadata.string(Self.templateKey) != nil || isNamed,
                (try? Self.check(template)) != nil, let words = Self.words(tokenizer)
            else { return nil }
            self.init(template: template, words: words, relevant: 0, irrelevant: 1)
            return
        }
        guard let template else {
            throw EngineError(
                .unsupportedArchitecture,
                "the model ranks texts (\(parts.reader.key("pooling_type")) is 4) by words, but \(Self.templateKey) with its question is missing",
                field: Self.templateKey)
        }
        try Self.check(template)
        guard let words = Self.words(tokenizer) else {
            throw EngineError(
                .unsupportedArchitecture,
                "the model ranks texts by \"yes\" and \"no\", which are not tokens of its vocabulary",
                field: "tokenizer.ggml.tokens")
        }
        self.init(template: template, words: words, relevant: 0, irrelevant: 1)
    }

    private static func check(_ template: String) throws {
        guard template.contains("{query}"), template.contains("{document}") else {
            throw EngineError(
                .invalidMetadata, "\(templateKey) has no {query} or no {document}: it needs both",
                field: templateKey)
        }
    }

    /// The tokens that are "yes" and "no"; nil if these are not tokens.
    private static func words(_ tokenizer: Tokenizer) -> [TokenID]? {
        let words = ["yes", "no"].compactMap { word in
            let tokens = tokenizer.encode(word, addSpecial: false)
            return tokens.count == 1 ? tokens[0] : nil
        }
        return words.count == 2 && words[0] != words[1] ? words : nil
    }

    /// Returns the indices of a classifier's scores that speak for and against a text.
    private static func scores(
        of classifier: Classifier, isCausal: Bool, _ parts: DecoderParts
    ) throws -> (relevant: Int, irrelevant: Int?) {
        let labels = classifier.labels.map { $0.lowercased() }
        switch classifier.output.rows {
        case 1: return (0, nil)
        case 2 where labels == ["no", "yes"]: return (1, 0)
        case 2 where labels == ["yes", "no"] || labels.isEmpty && isCausal: return (0, 1)
        case let count:
            throw EngineError(
                .unsupportedArchitecture,
                "the model has \(count) scores for a pair of texts\(labels.isEmpty ? "" : " (\(ShownText.of(classifier.labels.joined(separator: ", "))))"): expected one, or one for \"yes\" and one for \"no\"",
                field: "cls.output.weight")
        }
    }
}
