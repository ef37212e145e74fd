import LeapBase
import LeapGGUF
package import LeapTokenizer

/// The control tokens around the parts of a prompt, for models that score options at masks.
package enum MaskLayout: Sendable, Hashable {
    /// Question, options behind masks, state; the first two have at most `headLimit` tokens together.
    case laya(start: TokenID, mask: TokenID, separator: TokenID, headLimit: Int)
    /// State, question, options behind masks.
    case omni(OmniMarks)

    /// The control tokens of `lfm2-d1-omni`.
    package struct OmniMarks: Sendable, Hashable {
        /// Begins the prompt.
        package var start: TokenID
        /// Stands in front of the state.
        package var state: TokenID
        /// Stands in front of the instructions.
        package var instructions: TokenID
        /// Stands in front of an option's mask.
        package var option: TokenID
        package var mask: TokenID
        /// Stands behind an option.
        package var optionEnd: TokenID
        /// Ends the prompt.
        package var end: TokenID

        package init(
            start: TokenID, state: TokenID, instructions: TokenID, option: TokenID, mask: TokenID, optionEnd: TokenID,
            end: TokenID
        ) {
            self.start = start
            self.state = state
            self.instructions = instructions
            self.option = option
            self.mask = mask
            self.optionEnd = optionEnd
            self.end = end
        }
    }

    /// Finds the tokens of a type's prompts; nil for types without masks.
    ///
    /// - Throws: ``EngineError`` that names the key or token that the vocabulary lacks.
    init?(_ type: DecisionModelType, _ tokenizer: Tokenizer, _ reader: HyperparameterReader) throws {
        func token(_ found: TokenID?, _ field: String, _ name: String) throws -> TokenID {
            if let token = found ?? tokenizer.token(for: name) { return token }
            throw EngineError(
                .invalidMetadata,
                "\(field) is missing: prompts of decision models of the type \(type.rawValue) need this token, and the vocabulary has no \(name) either; the file was not converted correctly: convert it again",
                field: field)
        }
        func mask(_ name: String) throws -> TokenID {
            try token(tokenizer.maskToken, "tokenizer.ggml.mask_token_id", name)
        }
        switch type {
        case .laya:
            self = .laya(
                start: try token(tokenizer.bosToken, "tokenizer.ggml.bos_token_id", "[CLS]"), mask: try mask("[MASK]"),
                separator: try token(tokenizer.separatorToken, "tokenizer.ggml.seperator_token_id", "[SEP]"),
                headLimit: try reader.int("decision.max_head_tokens", in: 16...65536))
        case .lfm2D1Omni:
            func mark(_ name: String) throws -> TokenID { try token(nil, "tokenizer.ggml.tokens", name) }
            self = .omni(
                OmniMarks(
                    start: try token(tokenizer.bosToken, "tokenizer.ggml.bos_token_id", "<|startoftext|>"),
                    state: try mark("<|reserved_7|>"), instructions: try mark("<|reserved_8|>"),
                    option: try mark("<|reserved_9|>"), mask: try mask("<|mask|>"),
                    optionEnd: try mark("<|reserved_10|>"), end: try mark("<|reserved_11|>")))
        case .lfm2D1, .openJev, .lev, .nimble, .pplxDecider: return nil
        }
    }
}
