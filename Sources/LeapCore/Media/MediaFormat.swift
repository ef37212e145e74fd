import LeapBase
import LeapTokenizer
import LeapVision

/// A description of how pictures or sounds become tokens of a model: all that another process needs to write prompts
/// with them.
package struct MediaFormat: Codable, Sendable {
    /// The rules of each family.
    private enum Rules: Codable {
        case native(TilingRules)
        case squares(SquareTilingRules)
        case whole(WholePictureRules)
        case filled(FilledPictureRules)
        /// Sounds; the rules are those of this version.
        case sound
    }

    private let rules: Rules
    private let encoder: String

    /// nil for rules that are not sent to other processes.
    init?(_ reader: any MediaReader) {
        switch (reader, (reader as? PictureReader)?.rules) {
        case (is SoundReader, _): rules = .sound
        case (_, let rules as TilingRules): self.rules = .native(rules)
        case (_, let rules as SquareTilingRules): self.rules = .squares(rules)
        case (_, let rules as WholePictureRules): self.rules = .whole(rules)
        case (_, let rules as FilledPictureRules): self.rules = .filled(rules)
        default: return nil
        }
        encoder = reader.encoder.text
    }

    /// Makes a reader for the format; nil where the format is damaged.
    ///
    /// - Parameter contextSize: tokens that a prompt may have.
    func reader(_ tokenizer: Tokenizer, contextSize: Int) -> (any MediaReader)? {
        guard let encoder = StableHash(text: encoder) else { return nil }
        switch rules {
        case .sound: return SoundReader(encoder: encoder, contextSize: contextSize)
        case .native(let rules):
            return rules.isUsable ? PictureReader(encoder: encoder, tokenizer: tokenizer, rules: rules) : nil
        case .squares(let rules):
            return rules.isUsable ? PictureReader(encoder: encoder, tokenizer: tokenizer, rules: rules) : nil
        case .whole(let rules):
            return rules.isUsable ? PictureReader(encoder: encoder, tokenizer: tokenizer, rules: rules) : nil
        case .filled(let rules):
            return rules.isUsable ? PictureReader(encoder: encoder, tokenizer: tokenizer, rules: rules) : nil
        }
    }
}

extension TilingRules {
    /// True if sizes can be computed with the numbers, which may come from another process.
    fileprivate var isUsable: Bool {
        [patchSize, downsampling, minTokens, maxTokens, tileSize].allSatisfy { (1...1 << 16).contains($0) }
            && (1...1 << 10).contains(minTiles) && (minTiles...1 << 10).contains(maxTiles) && minTokens <= maxTokens
            && tolerance.isFinite
    }
}

extension SquareTilingRules {
    /// True if sizes can be computed with the numbers, which may come from another process.
    fileprivate var isUsable: Bool {
        [patchSize, downsampling, tileSize, longestEdge, maxTokens ?? 1].allSatisfy { (1...1 << 16).contains($0) }
            && tileSize / patchSize >= downsampling
    }
}

extension WholePictureRules {
    /// True if sizes can be computed with the numbers, which may come from another process.
    fileprivate var isUsable: Bool {
        (1...1 << 10).contains(patchSize) && (1...1 << 5).contains(downsampling) && (1...1 << 30).contains(maxPixels)
            && (1...maxPixels).contains(minPixels)
    }
}

extension FilledPictureRules {
    /// True if sizes can be computed with the numbers, which may come from another process.
    fileprivate var isUsable: Bool {
        (1...1 << 10).contains(patchSize) && (1...1 << 5).contains(downsampling) && (1...1 << 16).contains(tokens)
    }
}
