/// The tokens with a role: declared by the file, or known by their text.
struct SpecialTokens: Sendable {
    var bos: TokenID?
    var eos: TokenID?
    var eot: TokenID?
    var padding: TokenID?
    var unknown: TokenID?
    var separator: TokenID?
    var mask: TokenID?
    /// The tokens that end a generation.
    private(set) var ends: Set<TokenID> = []

    /// Texts that end a turn, the likeliest first.
    private static let turnEnds = [
        "<|eot_id|>", "<|eot|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>", "<EOT>",
        "_<EOT>", "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>",
    ]

    /// Further texts that end a generation.
    private static let otherEnds = [
        "<|eom_id|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "</s>", "[EOS]", "<eos>", "<turn|>", "[e~[",
        "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<|fim_repo|>",
    ]

    /// Texts that mark the parts of a fill-in-the-middle prompt.
    private static let fillMarks = [
        "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<fim-prefix>", "<fim-middle>", "<fim-suffix>",
        "<fim_prefix>",
        "<fim_middle>", "<fim_suffix>", "<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>",
    ]

    /// Finds the special tokens and makes control tokens of those known by their text, as llama.cpp does: converters
    /// have marked some of them as plain text.
    ///
    /// - Parameter defaults: The ids a kind of tokenizer has where the file declares none.
    init(_ metadata: TokenizerMetadata, _ vocabulary: inout Vocabulary, defaults: Defaults) throws {
        let count = vocabulary.count
        func token(_ key: TokenizerMetadata.Key, _ fallback: TokenID? = nil) throws -> TokenID? {
            guard let value = try metadata.uint(key) else { return fallback.flatMap { Int($0) < count ? $0 : nil } }
            // Converters write ids of tokens that are not there (-1, or the vocabulary's size) to say that there is
            // none.
            return value < UInt64(count) ? TokenID(value) : nil
        }
        bos = try token(.bos, defaults.bos)
        eos = try token(.eos, defaults.eos)
        padding = try token(.padding, defaults.padding)
        unknown = try token(.unknown, defaults.unknown)
        separator = try token(.separator, defaults.separator)
        mask = try token(.mask)
        eot = try token(.eot)
        for key in [.eom, .fillPad, .fillRepository, .fillFile] as [TokenizerMetadata.Key] {
            if let token = try token(key) { ends.insert(token) }
        }
        // One pass over the vocabulary: an index of all of it would cost a model that is being loaded more.
        let known = vocabulary.texts.tokens(of: Self.turnEnds + Self.otherEnds + Self.fillMarks)
        for text in Self.turnEnds {
            guard let token = known[text] else { continue }
            vocabulary.markControl(token)
            ends.insert(token)
            eot = eot ?? token
        }
        for text in Self.otherEnds {
            guard let token = known[text] else { continue }
            vocabulary.markControl(token)
            ends.insert(token)
        }
        for text in Self.fillMarks {
            if let token = known[text] { vocabulary.markControl(token) }
        }
        // In the Harmony and Solar formats `<|end|>` ends a message, and the answer goes on.
        let has = { (text: String) in known[text] != nil }
        if let end = known["<|end|>"], end != eos,
            has("<|call|>") && has("<|return|>") || has("<|calls|>") && has("<|flush|>")
        {
            ends.remove(end)
        }
        if let eos { ends.insert(eos) }
        if let declared = try token(.eot) { ends.insert(declared) }
    }

    /// The ids of a kind of tokenizer whose converters leave them out.
    struct Defaults {
        var bos: TokenID?
        var eos: TokenID?
        var padding: TokenID?
        var unknown: TokenID?
        var separator: TokenID?
    }
}
