import Foundation
import LeapAudio

/// Makes the bytes of a sound whose end is not known yet.
struct SpeechWriter: Sendable {
    private var hasBegun = false
    private var resampler: (rate: Int, value: Resampler)?

    /// The next bytes: 16-bit samples, behind a header where the format has one.
    mutating func bytes(_ samples: [Float], _ rate: Int, _ format: AudioSpeechRequest.Format) -> Data {
        let samples = PCM16.bytes(atProtocolRate(samples, rate))
        guard format == .wav, !hasBegun else { return samples }
        hasBegun = true
        return PCM16.wavHeader() + samples
    }

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
