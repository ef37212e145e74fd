package import LeapBase
import LeapGGUF
import LeapVision

/// The options of loading on how pictures are sized and cut; nil leaves a value as the model was trained.
package struct ImageOptions: Sendable, Hashable, Codable {
    /// `minImageTokens`.
    package var minTokens: Int?
    /// `maxImageTokens`.
    package var maxTokens: Int?
    /// `doImageSplitting`.
    package var splits: Bool?

    /// Makes options that leave all as the model was trained.
    package init() {}

    /// Returns the tiling that an encoder was trained with, changed by these options.
    ///
    /// - Throws: ``LeapModelLoadingException`` for an option that pictures of its kind do not have.
    package func tiling(_ trained: ImageTiling) throws -> ImageTiling {
        switch trained {
        case .native(let kind): .native(try native(kind))
        case .squares(let kind): .squares(try squares(kind))
        case .whole(let kind): .whole(try whole(kind))
        case .filled(let kind): .filled(try filled(kind))
        }
    }

    private func native(_ trained: ImageTiling.Native) throws -> ImageTiling.Native {
        var tiling = trained
        tiling.minTokens = minTokens ?? tiling.minTokens
        tiling.maxTokens = maxTokens ?? tiling.maxTokens
        tiling.splitsLargeImages = splits ?? tiling.splitsLargeImages
        guard tiling.minTokens <= tiling.maxTokens else {
            throw LeapModelLoadingException(
                "'minImageTokens' in the extras is \(tiling.minTokens) and 'maxImageTokens' \(tiling.maxTokens); the first may not be more than the second"
            )
        }
        return tiling
    }

    private func squares(_ trained: ImageTiling.Squares) throws -> ImageTiling.Squares {
        var tiling = trained
        tiling.splitsImages = splits ?? tiling.splitsImages
        tiling.maxTokens = maxTokens
        guard minTokens == nil else {
            throw LeapModelLoadingException(
                "'minImageTokens' in the extras has no effect on this model, whose images have \(tiling.tokensOfTile) tokens or more: remove it"
            )
        }
        guard maxTokens ?? .max >= tiling.tokensOfTile else {
            throw LeapModelLoadingException(
                "'maxImageTokens' in the extras is \(maxTokens ?? 0); images of this model have at least \(tiling.tokensOfTile) tokens"
            )
        }
        return tiling
    }

    private func whole(_ trained: ImageTiling.Whole) throws -> ImageTiling.Whole {
        var tiling = trained
        let largest = max(1, trained.maxPixels / tiling.pixelsOfToken)
        guard splits == nil else {
            throw LeapModelLoadingException(
                "'doImageSplitting' in the extras has no effect on this model, which does not split images: remove it")
        }
        guard (1...largest).contains(maxTokens ?? 1) else {
            throw LeapModelLoadingException(
                "'maxImageTokens' in the extras is \(maxTokens ?? 0); images of this model have at most \(largest) tokens"
            )
        }
        tiling.maxPixels = min(
            trained.maxPixels, (maxTokens ?? GGUFProjector.usualMaxTokens) * tiling.pixelsOfToken)
        if let minTokens {
            tiling.minPixels = minTokens.multipliedReportingOverflow(by: tiling.pixelsOfToken).partialValue
        }
        guard (1...tiling.maxPixels).contains(tiling.minPixels) else {
            throw LeapModelLoadingException(
                "'minImageTokens' in the extras is \(minTokens ?? trained.minPixels / tiling.pixelsOfToken) and 'maxImageTokens' \(tiling.maxPixels / tiling.pixelsOfToken); the first may not be more than the second"
            )
        }
        return tiling
    }

    private func filled(_ trained: ImageTiling.Filled) throws -> ImageTiling.Filled {
        for (name, value) in [("minImageTokens", minTokens != nil), ("doImageSplitting", splits != nil)] where value {
            throw LeapModelLoadingException(
                "'\(name)' in the extras has no effect on this model, whose images are as large as 'maxImageTokens' allows: remove it"
            )
        }
        var tiling = trained
        tiling.tokens = maxTokens ?? trained.tokens
        guard (1...ImageTiling.Filled.maxTokens).contains(tiling.tokens) else {
            throw LeapModelLoadingException(
                "'maxImageTokens' in the extras is \(tiling.tokens); images of this model have 1 to \(ImageTiling.Filled.maxTokens) tokens"
            )
        }
        return tiling
    }
}
