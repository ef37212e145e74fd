import Foundation
package import LeapBase
import LeapHashing
package import LeapModel
package import LeapTokenizer
import LeapVision

/// Reads the videos in messages for one model: the size of frames, the tokens that stand for each pair of frames, and
/// what the encoder of pictures gets.
///
/// In front of each pair stands the mean of their times, as `<1.5 seconds>`. A pair is a picture with positions of its
/// own (transformers, `processing_qwen3_vl.py`).
package final class VideoReader: MediaReader {
    /// Sizes of videos stay known longer, as tokens need nothing else.
    private static let maxSizes = 1024

    package let encoder: StableHash
    package var medium: Medium { .video }
    private let tokenizer: Tokenizer
    private let tiling: ImageTiling.Whole
    private let video: ImageTiling.Video
    private let contextSize: Int
    private let layouts = Locked<[[UInt8]: VideoLayout]>([:])
    /// Frames in the size of their videos, by their digests and that size.
    private let pixels: KeptPixels

    /// A reader for the encoder of pictures; nil where it reads no video.
    ///
    /// - Parameters:
    ///   - contextSize: tokens that a prompt may have.
    ///   - pixels: where frames are kept.
    package init?(
        encoder: StableHash, tokenizer: Tokenizer, tiling: ImageTiling, contextSize: Int,
        pixels: KeptPixels = KeptPixels()
    ) {
        guard case .whole(let whole) = tiling, let video = whole.video else { return nil }
        self.encoder = encoder
        self.tokenizer = tokenizer
        self.video = video
        self.contextSize = contextSize
        self.pixels = pixels
        self.tiling = whole
    }

    package func lead(of file: MediaFile) throws -> String { Self.stamp(try frames(of: file), pair: 0) }

    package func read(_ file: MediaFile) throws -> (tokens: [TokenID], parts: [MediaPart]) {
        let frames = try frames(of: file)
        let layout = try layout(of: frames, file.digest)
        let places = MediaPlaces(
            encoder: encoder,
            // As a picture has no such number of them, none of its places are those of frames.
            fingerprint: [tiling.patchSize, tiling.downsampling, layout.width, layout.height, 2, 2])
        func marker(_ text: String) -> [TokenID] { tokenizer.token(for: text).map { [$0] } ?? [] }
        let (start, end) = (marker("<|vision_start|>"), marker("<|vision_end|>"))
        let digests = frames.map { SHA256.hash($0.data) }
        var tokens: [TokenID] = []
        var parts: [MediaPart] = []
        for pair in 0..<layout.pairCount {
            let (first, second) = VideoLayout.frames(of: pair, count: frames.count)
            // The first time belongs to the text in front of the video.
            if pair > 0 { tokens += tokenizer.encode(Self.stamp(frames, pair: pair), addSpecial: false) }
            tokens +=
                start
                + places.places(
                    layout.tokensOfPair, digest: digests[first] + digests[second], columns: layout.columns) + end
            parts.append(
                MediaPart(tokenCount: layout.tokensOfPair, medium: .image) { [self] in
                    let one = try frame(first, frames[first].data, digests[first], layout)
                    let other =
                        first == second ? one : try frame(second, frames[second].data, digests[second], layout)
                    return .image(
                        ImagePatches(
                            rows: layout.height / tiling.patchSize, columns: layout.width / tiling.patchSize,
                            values: one.patchValues(patchSize: tiling.patchSize),
                            secondValues: first == second ? nil : other.patchValues(patchSize: tiling.patchSize)))
                })
        }
        return (tokens, parts)
    }

    /// The time of a pair as the model was trained with it.
    private static func stamp(_ frames: [VideoFrames.Frame], pair: Int) -> String {
        let (first, second) = VideoLayout.frames(of: pair, count: frames.count)
        return "<\(String(format: "%.1f", (frames[first].time + frames[second].time) / 2)) seconds>"
    }

    private func frames(of file: MediaFile) throws -> [VideoFrames.Frame] {
        let frames: [VideoFrames.Frame]
        do {
            frames = try VideoFrames(file: file.data).frames
        } catch let error as LeapException {
            throw LeapGenerationException(message: error.message, cause: error)
        }
        guard frames.count <= video.maxFrames else {
            throw LeapGenerationException(
                "the video has \(frames.count) frames, but this model reads at most \(video.maxFrames): pass fewer frames a second"
            )
        }
        return frames
    }

    /// The size of a video; all its frames are decoded when it is first seen, so that a damaged one is refused before
    /// anything is computed.
    private func layout(of frames: [VideoFrames.Frame], _ digest: [UInt8]) throws -> VideoLayout {
        if let layout = layouts.withLock({ $0[digest] }) { return layout }
        var found: (layout: VideoLayout, width: Int, height: Int)?
        for (index, frame) in frames.enumerated() {
            let image = try decoded(index, frame.data)
            if found == nil {
                found = try layout(frames.count, image).map { ($0, image.width, image.height) }
            }
            guard let found else { break }
            guard (image.width, image.height) == (found.width, found.height) else {
                throw refusal(
                    index,
                    "it has \(image.width) by \(image.height) pixels, and the first \(found.width) by \(found.height): all frames of a video need the same size"
                )
            }
            keep(found.layout.resized(image), SHA256.hash(frame.data), found.layout)
        }
        guard let layout = found?.layout else { throw LeapGenerationException(Medium.video.refusal) }
        layouts.withLock { layouts in
            if layouts.count >= Self.maxSizes { layouts.removeAll() }
            layouts[digest] = layout
        }
        return layout
    }

    private func layout(_ frameCount: Int, _ image: RGBImage) throws -> VideoLayout? {
        let layout = tiling.videoLayout(frames: frameCount, width: image.width, height: image.height)
        if let layout, layout.tokenCount >= contextSize {
            throw LeapGenerationPromptExceedContextLengthException(
                message:
                    "the video takes \(layout.tokenCount) tokens (\(layout.pairCount) pairs of frames with \(layout.tokensOfPair) each), but the context holds \(contextSize): pass fewer frames, or load the model with a smaller maxImageTokens or a larger contextSize",
                neededTokens: layout.tokenCount + 1, availableTokens: contextSize)
        }
        return layout
    }

    /// A frame in the size of its video.
    private func frame(_ index: Int, _ data: Data, _ digest: [UInt8], _ layout: VideoLayout) throws -> RGBImage {
        if let frame = pixels.use(Self.key(digest, layout))?.first { return frame }
        let frame = layout.resized(try decoded(index, data))
        keep(frame, digest, layout)
        return frame
    }

    private func keep(_ frame: RGBImage, _ digest: [UInt8], _ layout: VideoLayout) {
        pixels.keep([frame], for: Self.key(digest, layout))
    }

    private static func key(_ digest: [UInt8], _ layout: VideoLayout) -> [UInt8] {
        digest + Array("\(layout.width)x\(layout.height)".utf8)
    }

    private func decoded(_ index: Int, _ data: Data) throws -> RGBImage {
        do {
            return try RGBImage(file: [UInt8](data))
        } catch {
            throw refusal(index, "\(error)", error)
        }
    }

    private func refusal(_ index: Int, _ text: String, _ cause: (any Error)? = nil) -> LeapGenerationException {
        LeapGenerationException(message: "frame \(index) of the video: \(text)", cause: cause)
    }
}
