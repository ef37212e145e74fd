import Foundation
import LeapAudio

/// Makes the bytes of a sound whose end is not known yet.
struct SpeechWriter: Sendable {
    /// The format in which the sound is written.
    enum Format: String, CaseIterable, Sendable {
        case wav
        /// FLAC of 16 bits.
        case flac
        /// 16-bit samples without a header.
        case pcm

        /// The type of its bytes.
        var mediaType: String { "audio/\(rawValue)" }
    }

    private var hasBegun = false
    private var resampler: (rate: Int, value: Resampler)?
    private var encoder: FLACEncoder?

    /// The next bytes: 16-bit samples, behind a header where the format has one.
    ///
    /// Of FLAC they are whole frames, so that there may be none.
    mutating func bytes(_ samples: [Float], _ rate: Int, _ format: Format) -> Data {
        let samples = PCM16.bytes(atProtocolRate(samples, rate))
        let isFirst = !hasBegun
        hasBegun = true
        switch format {
        case .pcm: return samples
        case .wav: return isFirst ? PCM16.wavHeader() + samples : samples
        case .flac:
            var encoder = encoder ?? FLACEncoder(sampleRate: PCM16.sampleRate)
            let header = isFirst ? encoder.header : []
            let frames = encoder.append([PCM16.integers(samples)])
            self.encoder = encoder
            return Data(header + frames)
        }
    }

    /// Returns the bytes that are left at the end of the sound: the last frame of FLAC.
    mutating func rest() -> Data { Data(encoder?.finish() ?? []) }

    /// Samples at the rate that OpenAI's protocols have.
    mutating func atProtocolRate(_ samples: [Float], _ rate: Int) -> [Float] {
        guard rate != PCM16.sampleRate else { return samples }
        var state = resampler?.rate == rate ? resampler?.value : nil
        if state == nil { state = Resampler(from: rate, to: PCM16.sampleRate) }
        var result: [Float] = []
        state?.append(samples, to: &result)
        resampler = state.map { (rate, $0) }
        return result
    }
}
