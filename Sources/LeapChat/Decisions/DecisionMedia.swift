import Foundation
import LeapAudio
import LeapBase
package import LeapModel
package import LeapTokenizer

/// The pictures, or the sound, that stand in front of a prompt of `lfm2-d1-omni`.
package struct DecisionMedia: Sendable {
    /// The seconds that a sound has at least, and at most, as the model was trained.
    package static let seconds = 0.5...30

    /// The kind: pictures or sound.
    package let medium: Medium
    /// Negative numbers in the places of vectors.
    package private(set) var tokens: [TokenID] = []
    /// Tiles, whole pictures, or the sound.
    package private(set) var parts: [MediaPart] = []
    /// The sound, if it was too long.
    package private(set) var cuts: [DecisionAnswer.Cut] = []

    /// Reads the media of a state.
    ///
    /// - Returns: nil for a state without any.
    /// - Throws: ``LeapDecisionException`` for media that the model, or this version, does not read together.
    package init?(_ state: DecisionState, readers: [any MediaReader]) throws {
        let content = state.mediaParts
        guard let first = content.first, let medium = first.medium else { return nil }
        self.medium = medium
        if let other = content.first(where: { $0.medium != medium })?.medium {
            throw Self.refusal(
                "it has a \(medium.rawValue) and a \(other.rawValue): give pictures, or one sound, to a request")
        }
        guard medium != .audio || content.count == 1 else {
            throw Self.refusal("it has \(content.count) sounds: the model hears one, so ask about each by itself")
        }
        guard let reader = readers.first(where: { $0.medium == medium }), [.image, .audio].contains(medium) else {
            throw Self.refusal(
                "it has a \(medium.rawValue), and the model was loaded without a projector for it: name the model's projector with mmProjPath, or leave it out"
            )
        }
        for part in content { try add(part, reader) }
    }

    private mutating func add(_ part: ChatMessageContent, _ reader: any MediaReader) throws {
        do {
            let found: (tokens: [TokenID], parts: [MediaPart])
            switch part {
            case .audio(let data): found = try sound(data, reader)
            case .image(let data): found = try reader.read(MediaFile(data))
            case .text, .video: return
            }
            // The model was trained without tokens of the vocabulary around them.
            tokens += found.tokens.filter { $0 < 0 }
            parts += found.parts
        } catch let error as LeapGenerationException where error.isAboutFile || error.cause == nil {
            throw LeapDecisionException(field: "state", error.message, cause: error.cause)
        }
    }

    /// Reads a sound of ``seconds``: the beginning of a longer one, and a shorter one with silence behind it.
    private mutating func sound(_ data: Data, _ reader: any MediaReader) throws -> ([TokenID], [MediaPart]) {
        let file: WAVFile
        do {
            file = try AudioFile.read(data)
        } catch {
            throw LeapGenerationException(error)
        }
        let rate = Double(file.sampleRate)
        let (least, most) = (
            Int((Self.seconds.lowerBound * rate).rounded(.up)), Int(Self.seconds.upperBound * rate)
        )
        guard file.sampleCount > 0, !(least...most).contains(file.sampleCount) else {
            return try reader.read(MediaFile(data))
        }
        let silence = [Float](repeating: 0, count: max(0, least - file.sampleCount))
        let samples = file.samples(0..<min(file.sampleCount, most)) + silence
        let found = try reader.read(MediaFile(WAVFile.encode(samples, sampleRate: file.sampleRate)))
        if file.sampleCount > most, let reader = reader as? AudioReader {
            cuts.append(
                DecisionAnswer.Cut(
                    field: "audio", keptTokens: found.tokens.count { $0 < 0 },
                    totalTokens: reader.vectorCount(samples: file.sampleCount, sampleRate: file.sampleRate) ?? .max))
        }
        return found
    }

    private static func refusal(_ problem: String) -> LeapDecisionException {
        LeapDecisionException(field: "state", problem)
    }

    /// The maximum number of tokens that the model reads besides these.
    package var textLimit: Int { medium == .audio ? 15_360 : 896 }

    /// The parts with their positions in a prompt that begins with them.
    package var inputs: [MediaInput] { MediaInput.inputs(parts, in: tokens) }
}
