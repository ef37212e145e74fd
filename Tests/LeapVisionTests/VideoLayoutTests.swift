import LeapBase
import LeapTestSupport
import LeapVision
import Testing

/// Sizes of videos.
struct VideoLayoutTests {
    struct Case: Sendable {
        let frames: Int
        let width: Int
        let height: Int
        let size: [Int]
    }

    private static func rules(_ smallest: Int, _ largest: Int, picture: Int = 1 << 24) -> ImageTiling.Whole {
        ImageTiling.Whole(
            patchSize: 16, downsampling: 2, minPixels: 65_536, maxPixels: picture,
            video: .init(minPixels: smallest, maxPixels: largest, maxFrames: 768))
    }

    private static func layout(_ rules: ImageTiling.Whole, _ frames: Int, _ width: Int, _ height: Int) throws
        -> VideoLayout
    {
        try #require(rules.videoLayout(frames: frames, width: width, height: height))
    }

    @Test(
        "Videos have the sizes that transformers' rule gives them, by the pixels of all frames",
        arguments: [
            Case(frames: 2, width: 640, height: 480, size: [640, 480, 640, 480, 864, 640]),
            Case(frames: 3, width: 640, height: 480, size: [640, 480, 640, 480, 640, 480]),
            Case(frames: 5, width: 640, height: 480, size: [640, 480, 640, 480, 640, 480]),
            Case(frames: 64, width: 1280, height: 720, size: [832, 448, 224, 128, 224, 128]),
            Case(frames: 65, width: 1280, height: 720, size: [800, 448, 224, 128, 224, 128]),
            Case(frames: 384, width: 1920, height: 1080, size: [320, 192, 96, 32, 96, 32]),
            Case(frames: 768, width: 1920, height: 1080, size: [224, 128, 64, 32, 64, 32]),
            Case(frames: 2, width: 30, height: 20, size: [64, 32, 224, 160, 896, 608]),
            Case(frames: 4, width: 900, height: 17, size: [1696, 32, 1696, 32, 3744, 96]),
            Case(frames: 10, width: 80, height: 48, size: [64, 64, 128, 64, 448, 256]),
            Case(frames: 7, width: 1920, height: 1080, size: [1920, 1088, 704, 384, 704, 384]),
        ])
    func sizes(video: Case) throws {
        let bounds = [(4096, 25_165_824), (65_536, 2_097_152), (1 << 20, 1 << 21)]
        let sizes = try bounds.flatMap { smallest, largest in
            let layout = try Self.layout(Self.rules(smallest, largest), video.frames, video.width, video.height)
            #expect(layout.tokensOfPair == layout.width / 32 * (layout.height / 32))
            #expect(layout.columns == layout.width / 32 && layout.pairCount == (video.frames + 1) / 2)
            #expect(layout.tokenCount == layout.pairCount * layout.tokensOfPair)
            return [layout.width, layout.height]
        }
        #expect(sizes == video.size)
    }

    @Test("Two frames have no more tokens than a picture may have; narrow and tiny ones are bounded")
    func limits() throws {
        let rules = Self.rules(4096, 25_165_824, picture: 64 << 10)
        for (frames, width, height) in [(2, 1920, 1080), (1, 4000, 3000), (8, 640, 480), (5, 300, 8000)] {
            let layout = try Self.layout(rules, frames, width, height)
            #expect((1...64).contains(layout.tokensOfPair), "\(frames) frames of \(width)x\(height)")
        }
        for (width, height) in [(1, 1), (1, 60_000), (60_000, 1), (2, 3)] {
            let layout = try Self.layout(Self.rules(4096, 25_165_824), 768, width, height)
            #expect((1...200).contains(layout.tokensOfPair), "\(width)x\(height)")
        }
    }

    @Test("The last of an odd number of frames makes a pair with itself")
    func pairs() {
        let pairs = (0..<3).map { VideoLayout.frames(of: $0, count: 5) }
        #expect(pairs.map(\.first) == [0, 2, 4] && pairs.map(\.second) == [1, 3, 4])
        #expect(ImageTiling.whole(Self.rules(1, 2)).video != nil)
        #expect(ImageTiling.native(.init()).video == nil)
    }
}
