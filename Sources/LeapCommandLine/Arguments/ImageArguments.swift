import ArgumentParser
import LeapChat

/// Options of the size and the tiling of pictures, which `run` and `chat` share.
struct ImageArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Minimum tokens of a picture, 1 to 16384; smaller pictures are enlarged (LFM2-VL; default: 64).")
    var minImageTokens: Int?

    @Option(
        parsing: .unconditional,
        help:
            "Maximum tokens of a picture, 1 to 16384; larger pictures are scaled down (LFM2-VL; default: 256 a tile)."
    )
    var maxImageTokens: Int?

    @Flag(help: "Scale large pictures down instead of cutting them into tiles.")
    var noImageSplitting = false

    func validate() throws {
        try CountRange(1...16_384).check(minImageTokens, "--min-image-tokens")
        try CountRange(1...16_384).check(maxImageTokens, "--max-image-tokens")
        if let minImageTokens, let maxImageTokens, minImageTokens > maxImageTokens {
            throw ValidationError(
                "--min-image-tokens is \(minImageTokens) and --max-image-tokens \(maxImageTokens): the first may not be more than the second"
            )
        }
    }

    /// The same as options of loading.
    var options: ImageOptions {
        var options = ImageOptions()
        options.minTokens = minImageTokens
        options.maxTokens = maxImageTokens
        if noImageSplitting { options.splits = false }
        return options
    }
}
