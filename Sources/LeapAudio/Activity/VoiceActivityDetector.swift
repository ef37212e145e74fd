import Foundation

/// Tells speech from silence and noise while a sound is recorded.
///
/// Every 10 ms the power in 16 bands is compared with a noise floor that follows the surroundings. What stands out
/// becomes a probability, which begins an utterance above the threshold, and keeps it going down to a lower one. The
/// same samples give the same events whatever pieces they come in, and memory does not grow with the sound.
package struct VoiceActivityDetector: Sendable {
    /// Frames over the threshold, of ``window``, that begin an utterance, and over the lower one that keep it going:
    /// clicks are shorter.
    private static let (onset, lasting) = (7, 6)
    private static let window = 10
    /// The part of the threshold that keeps an utterance going.
    private static let release = 0.5
    /// The share of a new frame in the measure.
    private static let smoothing: Float = 0.35
    /// Samples that are taken at a time, so that what is kept does not depend on how many come.
    private static let blockLength = 4096

    package let settings: VoiceActivitySettings
    package let sampleRate: Int
    /// The probability of speech in the latest frame.
    package private(set) var probability = 0.0
    /// True if an utterance goes on.
    package private(set) var isSpeaking = false

    private var frames: BandPowers
    private var noise: NoiseFloor
    private var measure: Float = 0
    private var frameCount = 0
    /// One bit for each of the latest frames, set if it was over the threshold, the newest in the lowest bit; `audible`
    /// is the same for the lower threshold.
    private var loud: UInt32 = 0
    private var audible: UInt32 = 0
    /// The frame after the last one of speech.
    private var speechEnd = 0
    /// The position at which the last utterance ended: padding does not reach across.
    private var lastEnd = 0
    private var received = 0

    /// - Precondition: the rate is 1...768,000.
    package init(settings: VoiceActivitySettings = VoiceActivitySettings(), sampleRate: Int) {
        self.settings = settings
        self.sampleRate = sampleRate
        frames = BandPowers(sampleRate: sampleRate)
        noise = NoiseFloor(bandCount: frames.bands.count)
    }

    /// Takes samples of one channel, values in -1...1; what is not a number counts as silence.
    package mutating func append(_ samples: some Collection<Float>) -> [VoiceActivityEvent] {
        var events: [VoiceActivityEvent] = []
        var rest = samples[...]
        while !rest.isEmpty {
            let block = rest.prefix(Self.blockLength).map { WAVFormat.usable($0) }
            rest = rest.dropFirst(block.count)
            received += block.count
            var powers: [[Float]] = []
            frames.append(block) { powers.append($0) }
            for frame in powers { take(frame, &events) }
        }
        return events
    }

    /// Ends the sound: an utterance that goes on ends with it.
    package mutating func finish() -> [VoiceActivityEvent] {
        var events: [VoiceActivityEvent] = []
        var powers: [[Float]] = []
        frames.finish { powers.append($0) }
        for frame in powers { take(frame, &events) }
        if isSpeaking {
            isSpeaking = false
            lastEnd = received
            events.append(VoiceActivityEvent(kind: .ended, position: received, knownAt: received))
        }
        return events
    }

    /// Ends an utterance that goes on without an event; the noise that is known stays known.
    package mutating func interrupt() {
        guard isSpeaking else { return }
        isSpeaking = false
        loud = 0
        lastEnd = received
    }

    private mutating func take(_ powers: [Float], _ events: inout [VoiceActivityEvent]) {
        noise.update(powers)
        measure += Self.smoothing * (Self.prominence(powers, noise.powers) - measure)
        probability = 1 / (1 + exp(-Double(measure - Self.middle) / Self.spread))
        frameCount += 1
        let window: UInt32 = (1 << Self.window) - 1
        loud = (loud << 1 | (probability > settings.threshold ? 1 : 0)) & window
        audible = (audible << 1 | (probability > settings.threshold * Self.release ? 1 : 0)) & window
        if isSpeaking {
            if audible.nonzeroBitCount >= Self.lasting { speechEnd = frameCount }
            let silence = Int((settings.silenceDuration * 100).rounded(.up))
            guard frameCount - speechEnd >= silence else { return }
            isSpeaking = false
            loud = 0
            lastEnd = position(ofFrame: speechEnd)
            events.append(
                VoiceActivityEvent(kind: .ended, position: lastEnd, knownAt: position(ofFrame: frameCount)))
        } else if loud.nonzeroBitCount >= Self.onset {
            isSpeaking = true
            speechEnd = frameCount
            let first = frameCount - (UInt32.bitWidth - loud.leadingZeroBitCount)
            let padding = Int(settings.prefixPadding * Double(sampleRate))
            let start = max(lastEnd, position(ofFrame: first) - padding)
            events.append(
                VoiceActivityEvent(kind: .started, position: start, knownAt: position(ofFrame: frameCount)))
        }
    }

    static let middle: Float = 5
    static let spread = 1.2

    /// Returns the height of a frame above the noise, in dB: the mean over the bands that stand out most.
    static func prominence(_ powers: [Float], _ noise: [Float]) -> Float {
        var gains = powers.indices.map { min(max(0, 10 * log10f(max(powers[$0], 1e-12) / noise[$0])), 30) }
        gains.sort(by: >)
        let count = max(1, gains.count / 2)
        return gains[..<count].reduce(0, +) / Float(count)
    }

    /// The first sample after what a number of frames needed at least.
    private func position(ofFrame frame: Int) -> Int {
        guard frame > 0 else { return 0 }
        let (seconds, rest) = (frame * BandPowers.hop).quotientAndRemainder(dividingBy: BandPowers.sampleRate)
        return min(received, seconds * sampleRate + rest * sampleRate / BandPowers.sampleRate)
    }
}
