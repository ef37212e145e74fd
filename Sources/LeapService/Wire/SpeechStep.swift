import Foundation
import LeapEngine
package import LeapModel

/// A piece of speech of a generation, in 44 bytes and four for each sample.
package struct SpeechStep: Sendable {
    /// The samples of a piece; see ``SpeechPiece/samples``.
    static let maxSampleCount = 1920
    static let maxByteCount = 4 * (headerCount + maxSampleCount)
    /// The words in front of the samples: the generation, what stands for the frame, five of progress, two codes in
    /// each of four.
    private static let headerCount = 11
    /// In place of each code where there is no frame.
    private static let noCode = UInt16.max

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
            (Self.headerCount...Self.headerCount + Self.maxSampleCount).contains(words.count)
        else { return nil }
        generation = UInt32(bitPattern: words[0])
        progress = Array(words[2..<7])
        let codes = words[7..<Self.headerCount].map { UInt32(bitPattern: $0) }.flatMap {
            [UInt16(truncatingIfNeeded: $0), UInt16(truncatingIfNeeded: $0 >> 16)]
        }
        let frame = SpeechFrame(codes: codes)
        // Negative numbers stand for frames in a sequence, and nothing stands for none.
        guard frame == nil ? words[1] == 0 && codes.allSatisfy({ $0 == Self.noCode }) : words[1] < 0 else { return nil }
        let samples = words[Self.headerCount...].map { Float(bitPattern: UInt32(bitPattern: $0)) }
        guard samples.allSatisfy(\.isFinite) else { return nil }
        piece = SpeechPiece(frame: frame, place: words[1], samples: samples)
    }

    package var frame: WireFrame {
        let codes = piece.frame?.codes ?? Array(repeating: Self.noCode, count: SpeechFrame.codebookCount)
        let pairs = stride(from: 0, to: codes.count, by: 2).map {
            Int32(bitPattern: UInt32(codes[$0]) | UInt32(codes[$0 + 1]) << 16)
        }
        let counts = progress.prefix(5) + Array(repeating: 0, count: max(0, 5 - progress.count))
        let words = [Int32(bitPattern: generation), piece.place] + counts + pairs
        return WireFrame(.speech, [UInt8](Packed.data(words) + Packed.data(piece.samples)))
    }
}
