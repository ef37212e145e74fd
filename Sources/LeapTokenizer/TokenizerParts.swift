import LeapBase
import LeapGGUF

/// Everything a ``Tokenizer`` is made of, put together by the kind of tokenizer a file names.
struct TokenizerParts {
    var vocabulary: Vocabulary
    var special: SpecialTokens
    var model: any TokenizerModel
    var matcher: AddedTokenMatcher
    var textForm: TokenTextForm
    var dropsLeadingSpace = false
    var addsBOS: Bool
    var addsEOS: Bool
    var separatesTwice: Bool
    var notes: [String] = []

    /// Reads the parts from `metadata`.
    ///
    /// - Parameter preTokenizer: the name of a rule to cut texts by in place of the file's.
    /// - Throws: ``TokenizerError``.
    init(_ metadata: TokenizerMetadata, preTokenizer: String? = nil) throws {
        let kind = try metadata.required(.model, metadata.string(.model))
        // Before anything is read: a kind that cannot be used needs no vocabulary to say so.
        let form = try Self.form(of: kind)
        if preTokenizer != nil, form != .byteLevel { throw Self.needless(kind) }
        textForm = form
        vocabulary = try Vocabulary(metadata)
        var addsBOS = false
        var addsEOS = false
        switch form {
        case .byteLevel:
            special = try SpecialTokens(metadata, &vocabulary, defaults: .init())
            let name = try preTokenizer.map(Self.given) ?? Self.named(try metadata.string(.pre), notes: &notes)
            model = try BytePairModel(metadata, vocabulary: vocabulary, name: name)
            addsBOS = name.addsBOS
        case .sentencePiece:
            special = try SpecialTokens(metadata, &vocabulary, defaults: .init(bos: 1, eos: 2, unknown: 0))
            dropsLeadingSpace = try metadata.bool(.addSpacePrefix) ?? true
            model = SentencePieceModel(
                vocabulary: vocabulary, unknownToken: special.unknown, addsSpacePrefix: dropsLeadingSpace)
            addsBOS = true
        case .unigram:
            special = try SpecialTokens(metadata, &vocabulary, defaults: .init(eos: 1, padding: 0, unknown: 2))
            dropsLeadingSpace = try metadata.bool(.addSpacePrefix) ?? false
            let normalizer = UnigramNormalizer(
                vocabulary: vocabulary, charsMap: try Self.charsMap(metadata), addsSpacePrefix: dropsLeadingSpace,
                mergesSpaces: try metadata.bool(.removeExtraWhitespace) ?? false)
            let unknown = try metadata.required(.unknown, special.unknown)
            model = UnigramModel(vocabulary: vocabulary, normalizer: normalizer, unknownToken: unknown)
            addsEOS = true
        case .characterPairs:
            special = try SpecialTokens(
                metadata, &vocabulary, defaults: .init(bos: 2, eos: 1, padding: 0, unknown: 3))
            model = try CharacterPairModel(metadata, vocabulary: vocabulary, unknownToken: special.unknown)
            addsBOS = true
        case .wordPiece:
            special = try SpecialTokens(
                metadata, &vocabulary, defaults: .init(bos: 101, padding: 0, unknown: 100, separator: 102))
            dropsLeadingSpace = true
            let lowercases = try metadata.bool(.lowercase) ?? true
            let normalizer = BertNormalizer(
                lowercases: lowercases, stripsAccents: try metadata.bool(.stripAccents) ?? lowercases)
            model = WordPieceModel(vocabulary: vocabulary, normalizer: normalizer, unknownToken: special.unknown)
        }
        if form == .wordPiece {
            // Always both, whatever the file says.
            (addsBOS, addsEOS) = (true, true)
        } else {
            addsBOS = try metadata.bool(.addBOS) ?? addsBOS
            addsEOS = try metadata.bool(.addEOS) ?? addsEOS
        }
        // XLM-RoBERTa has the only unigram vocabulary of models that read pairs.
        separatesTwice = form == .wordPiece ? false : try metadata.bool(.addSeparator) ?? (form == .unigram)
        self.addsBOS = addsBOS && special.bos != nil
        self.addsEOS = addsEOS && (form == .wordPiece ? special.separator : special.eos) != nil
        if addsBOS, !self.addsBOS { notes.append("The model needs a BOS token before a text, but declares none.") }
        if addsEOS, !self.addsEOS { notes.append("The model needs an EOS token after a text, but declares none.") }
        matcher = try Self.matcher(metadata, vocabulary)
    }

    /// The form of the tokens of a tokenizer model.
    private static func form(of kind: String) throws -> TokenTextForm {
        if let form = TokenTextForm(model: kind) { return form }
        throw TokenizerError(
            .unsupportedModel, field: TokenizerMetadata.Key.model.name,
            message:
                "the tokenizer model '\(ShownText.of(kind))' (metadata key '\(TokenizerMetadata.Key.model.name)') is not supported; supported are 'gpt2' (byte-level BPE), 'llama' "
                + "(SentencePiece BPE), 't5' (unigram), 'bert' (WordPiece) and 'gemma4' (BPE of characters). Use a model with one of these."
        )
    }

    /// The rule of the name in a file; the default one where files of older converters have none.
    private static func named(_ name: String?, notes: inout [String]) throws -> PreTokenizerName {
        guard let name else {
            notes.append(
                "The file names no pre-tokenizer, so the default one applies. It may split texts into other tokens than those the model was "
                    + "trained on, which makes its replies worse.")
            return .standard
        }
        guard let known = PreTokenizerName(name) else {
            let key = TokenizerMetadata.Key.pre.name
            throw TokenizerError(
                .unsupportedPreTokenizer, field: key,
                message:
                    "the pre-tokenizer '\(ShownText.of(name))' (metadata key '\(key)') is not known: texts would be split into other tokens than "
                    + "those the model was trained on. Known are \(PreTokenizerName.knownNames.joined(separator: ", ")). Use a newer version, "
                    + "or name one of these as 'preTokenizer' in the extras of the loading options, which replaces it."
            )
        }
        return known
    }

    /// The rule of a name that is given in place of the file's.
    private static func given(_ name: String) throws -> PreTokenizerName {
        if let known = PreTokenizerName(name) { return known }
        throw TokenizerError(
            .unsupportedPreTokenizer, field: "preTokenizer",
            message:
                "'preTokenizer' is '\(ShownText.of(name))', which is not known. Known are \(PreTokenizerName.knownNames.joined(separator: ", "))."
        )
    }

    /// The refusal of a rule for a model that cuts texts without one.
    private static func needless(_ model: String) -> TokenizerError {
        let key = TokenizerMetadata.Key.model.name
        return TokenizerError(
            .unsupportedPreTokenizer, field: key,
            message:
                "'preTokenizer' is given, but the tokenizer model '\(ShownText.of(model))' (metadata key '\(key)') splits texts without one, so it "
                + "would have no effect. Remove it.")
    }

    private static func charsMap(_ metadata: TokenizerMetadata) throws -> CharsMap? {
        guard let numbers = try metadata.ints(.charsMap), !numbers.isEmpty else { return nil }
        guard let map = CharsMap(numbers.map { UInt8(truncatingIfNeeded: $0) }) else {
            throw metadata.invalid(
                .charsMap, "is not a character map: its parts reach beyond its \(numbers.count) bytes")
        }
        return map
    }

    /// The matcher, with the whitespace that some models' special tokens take with them.
    ///
    /// Files do not say which tokens do; llama.cpp goes by names, and this follows it.
    private static func matcher(_ metadata: TokenizerMetadata, _ vocabulary: Vocabulary) throws -> AddedTokenMatcher {
        let pre = try metadata.string(.pre) ?? ""
        let name = metadata.modelName.lowercased()
        var left: Set<TokenID> = []
        var right: Set<TokenID> = []
        if ["jina-v2-de", "jina-v2-es", "jina-v2-code"].contains(pre)
            || ["nomic-bert-moe", "jina-bert-v3"].contains(metadata.architecture)
        {
            if let mask = vocabulary.index.find("<mask>") { left.insert(mask) }
        } else if name.contains("phi-3") || name.contains("phi3") {
            for token in 0..<vocabulary.count {
                switch vocabulary.kinds[token] {
                case .control, .userDefined, .unknown: right.insert(TokenID(token))
                default: break
                }
            }
            if let token = vocabulary.index.find("</s>") { right.insert(token) }
            for text in ["<unk>", "<s>", "<|endoftext|>"] {
                if let token = vocabulary.index.find(text) { right.remove(token) }
            }
        } else if name.contains("modern-bert"), let mask = vocabulary.index.find("[MASK]") {
            left.insert(mask)
        }
        return AddedTokenMatcher(vocabulary, stripsLeft: left, stripsRight: right)
    }
}
