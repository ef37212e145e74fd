import Foundation
import LeapEngine
package import LeapModel

/// A piece of speech of a generation: in 44 bytes, with more for frames of more than eight codes, and four for each
/// sample.
package struct SpeechStep: Sendable {
    /// The samples of a piece; see ``SpeechPiece/samples``.
    static let maxSampleCount = 1920
    static let maxByteCount = 4 * (headerCount + maxCodeCount / 2 + maxSampleCount)
    /// The words in front of the samples: the generation, what stands for the frame, five of progress, two codes in
    /// each of four.
    private static let headerCount = 11
    /// The codes that the header has room for.
    private static let headerCodes = 8
    private static let maxCodeCount = SpeechForm.all.map(\.codebookCount).max() ?? 0
    /// In place of each code where there is no frame.
    private static let noCode = UInt16.max
    /// In place of the first code where a frame has more codes than the header has room for: their number stands behind
    /// it, and they follow the header.
    private static let moreCodes = UInt16.max - 1

    package var generation: UInt32
    package var piece: SpeechPiece
    /// The progress, as in ``GenerationStep/progress``.
    package var progress: [Int32]

    package init(generation: UInt32, piece: SpeechPiece, progress: [Int32]) {
        self.generation = generation
        self.piece = piece
        self.progress = progress
    }

    /// Reads a payload; nil for one with codes or samples that are none.
    package init?(_ bytes: [UInt8]) {
        guard let words = Packed.integers(Data(bytes)),
            (Self.headerCount...Self.maxByteCount / 4).contains(words.count)
        else { return nil }
        generation = UInt32(bitPattern: words[0])
        progress = Array(words[2..<7])
        var codes = Self.codes(words[7..<Self.headerCount])
        var start = Self.headerCount
        let hasMore = codes[0] == Self.moreCodes
        if hasMore {
            let count = Int(codes[1])
            start += count / 2
            guard count > Self.headerCodes, count <= Self.maxCodeCount, count % 2 == 0, start <= words.count,
                codes[2...].allSatisfy({ $0 == 0 })
            else { return nil }
            codes = Self.codes(words[Self.headerCount..<start])
        }
        guard words.count - start <= Self.maxSampleCount else { return nil }
        let frame = SpeechFrame(codes: codes)
        if frame == nil, hasMore { return nil }
        // Negative numbers stand for frames in a sequence, and nothing stands for none.
        guard frame == nil ? words[1] == 0 && codes.allSatisfy({ $0 == Self.noCode }) : words[1] < 0 else { return nil }
        let samples = words[start...].map { Float(bitPattern: UInt32(bitPattern: $0)) }
        guard samples.allSatisfy(\.isFinite) else { return nil }
        piece = SpeechPiece(frame: frame, place: words[1], samples: samples)
    }

    private static func codes(_ words: ArraySlice<Int32>) -> [UInt16] {
        words.map { UInt32(bitPattern: $0) }.flatMap {
            [UInt16(truncatingIfNeeded: $0), UInt16(truncatingIfNeeded: $0 >> 16)]
        }
    }

    package var frame: WireFrame {
        var codes = piece.frame?.codes ?? Array(repeating: Self.noCode, count: Self.headerCodes)
        if codes.count > Self.headerCodes {
            let head = [Self.moreCodes, UInt16(truncatingIfNeeded: codes.count)]
            codes = head + Array(repeating: 0, count: Self.headerCodes - head.count) + codes
        }
        let pairs = stride(from: 0, to: codes.count, by: 2).map {
            Int32(bitPattern: UInt32(codes[$0]) | UInt32(codes[$0 + 1]) << 16)
        }
        let counts = progress.prefix(5) + Array(repeating: 0, count: max(0, 5 - progress.count))
        let words = [Int32(bitPattern: generation), piece.place] + counts + pairs
        return WireFrame(.speech, [UInt8](Packed.data(words) + Packed.data(piece.samples)))
    }
}
