import LeapBase
import LeapVision
import Testing

@testable import LeapChat
@testable import LeapCore

/// The limits of pictures' tokens.
struct ImageOptionsTests {
    /// Qwen3-VL's and LFM3-VL's, of 64 to 16,384 tokens, and LFM3-Omni's of at most 2,048.
    private static func trained(_ tokens: Int) -> ImageTiling {
        .whole(
            .init(
                patchSize: 16, downsampling: 2, minPixels: 1 << 16, maxPixels: tokens << 10,
                video: .init(minPixels: 4096, maxPixels: 25_165_824, maxFrames: 384)))
    }

    private static func tokens(_ extras: String?, _ trained: Int) throws -> Int {
        try LoadExtras(extras).pictures.tiling(Self.trained(trained)).maxImageTokens
    }

    @Test("A picture has up to 1,024 tokens, or as many as maxImageTokens says, up to the model's limit")
    func limits() throws {
        for trained in [2048, 16_384] {
            #expect(try Self.tokens(nil, trained) == 1024)
            #expect(try Self.tokens(#"{"maxImageTokens": \#(trained)}"#, trained) == trained)
            #expect(throws: LeapModelLoadingException.self) {
                try Self.tokens(#"{"maxImageTokens": \#(trained + 1)}"#, trained)
            }
        }
        let large = try LoadExtras(#"{"maxImageTokens": 16384}"#).pictures.tiling(Self.trained(16_384))
        #expect(large.layout(width: 4096, height: 4096).tokenCount == 16_384)
        #expect(large.video == Self.trained(16_384).video)
    }
}
