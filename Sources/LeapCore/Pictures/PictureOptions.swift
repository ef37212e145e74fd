import LeapEngine
import LeapGGUF
package import LeapModel
package import LeapVision

/// The options of loading on how pictures are sized and cut; nil leaves a value as the model was trained.
package struct PictureOptions: Sendable, Hashable, Codable {
    /// `minImageTokens`.
    package var minTokens: Int?
    /// `maxImageTokens`.
    package var maxTokens: Int?
    /// `doImageSplitting`.
    package var splits: Bool?

    /// Makes options that leave all as the model was trained.
    package init() {}

    /// The rules for an encoder.
    ///
    /// - Throws: ``LeapModelLoadingException`` for an option that pictures of its kind do not have.
    package func rules(for tiling: ImageTiling) throws -> any PictureRules {
        switch tiling.cutting {
        case .native:
            var rules = TilingRules().with(patchSize: tiling.patchSize, downsampling: tiling.downsampling)
            rules.minTokens = minTokens ?? rules.minTokens
            rules.maxTokens = maxTokens ?? rules.maxTokens
            rules.splitsLargeImages = splits ?? rules.splitsLargeImages
            guard rules.minTokens <= rules.maxTokens else {
                throw LeapModelLoadingException(
                    "'minImageTokens' in the extras is \(rules.minTokens) and 'maxImageTokens' \(rules.maxTokens); the first may not be more than the second"
                )
            }
            return rules
        case .squares(let side, let longestEdge):
            var rules = SquareTilingRules(
                patchSize: tiling.patchSize, downsampling: tiling.downsampling, tileSize: side, longestEdge: longestEdge
            )
            rules.splitsImages = splits ?? rules.splitsImages
            rules.maxTokens = maxTokens
            guard minTokens == nil else {
                throw LeapModelLoadingException(
                    "'minImageTokens' in the extras has no effect on this model, whose pictures have \(rules.tokensOfTile) tokens or more: leave it out"
                )
            }
            guard maxTokens ?? .max >= rules.tokensOfTile else {
                throw LeapModelLoadingException(
                    "'maxImageTokens' in the extras is \(maxTokens ?? 0); pictures of this model have \(rules.tokensOfTile) tokens at least"
                )
            }
            return rules
        case .whole(let minPixels, let maxPixels):
            return try wholeRules(tiling, minPixels, maxPixels)
        case .filled(let tokens):
            for (name, value) in [("minImageTokens", minTokens != nil), ("doImageSplitting", splits != nil)] where value
            {
                throw LeapModelLoadingException(
                    "'\(name)' in the extras has no effect on this model, whose pictures are as large as 'maxImageTokens' allows: leave it out"
                )
            }
            guard (1...Self.maxFilledTokens).contains(maxTokens ?? tokens) else {
                throw LeapModelLoadingException(
                    "'maxImageTokens' in the extras is \(maxTokens ?? tokens); pictures of this model have 1 to \(Self.maxFilledTokens) tokens"
                )
            }
            return FilledPictureRules(
                patchSize: tiling.patchSize, downsampling: tiling.downsampling, tokens: maxTokens ?? tokens)
        }
    }

    /// Tokens of a picture of Gemma 4, at most, as it was trained.
    private static let maxFilledTokens = 1120

    private func wholeRules(_ tiling: ImageTiling, _ minPixels: Int, _ maxPixels: Int) throws -> WholePictureRules {
        var rules = WholePictureRules(
            patchSize: tiling.patchSize, downsampling: tiling.downsampling, minPixels: minPixels, maxPixels: maxPixels)
        let largest = max(1, maxPixels / rules.pixelsOfToken)
        guard splits == nil else {
            throw LeapModelLoadingException(
                "'doImageSplitting' in the extras has no effect on this model, whose pictures stay whole: leave it out")
        }
        guard (1...largest).contains(maxTokens ?? 1) else {
            throw LeapModelLoadingException(
                "'maxImageTokens' in the extras is \(maxTokens ?? 0); pictures of this model have \(largest) tokens at most"
            )
        }
        rules.maxPixels = min(maxPixels, (maxTokens ?? GGUFProjector.usualMaxTokens) * rules.pixelsOfToken)
        if let minTokens {
            rules.minPixels = minTokens.multipliedReportingOverflow(by: rules.pixelsOfToken).partialValue
        }
        guard (1...rules.maxPixels).contains(rules.minPixels) else {
            throw LeapModelLoadingException(
                "'minImageTokens' in the extras is \(minTokens ?? minPixels / rules.pixelsOfToken) and 'maxImageTokens' \(rules.maxPixels / rules.pixelsOfToken); the first may not be more than the second"
            )
        }
        return rules
    }
}
