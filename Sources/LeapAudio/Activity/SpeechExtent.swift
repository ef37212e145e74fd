/// The part of a whole sound in which somebody speaks.
///
/// Silence around a sound changes nothing of the result: samples next to nothing are left out at both ends first, so
/// that the detector hears the same whatever was there.
package enum SpeechExtent {
    /// Samples that are decoded at a time.
    private static let blockLength = 1 << 16
    /// Samples weaker than this at the ends are silence (full scale is 1): 16 steps of 16 bits.
    private static let weakest: Float = 1 / 2048
    /// The share of the loudest sample that counts all the same: a recording may be quiet as a whole.
    private static let share: Float = 1 / 64
    /// Seconds around what the detector hears, for the quiet beginnings and ends of words.
    private static let padding = 0.3
    /// Seconds of a sound that is listened to; a longer one is taken as it is, as no model hears so much.
    private static let maxSeconds = 3600
    /// The settings of the detector, with a threshold a little lower than for a microphone: speech that is missed here
    /// is lost.
    private static let settings = VoiceActivitySettings(threshold: 0.4, prefixPadding: padding)

    /// The samples from the first word to the last; nil where nobody speaks.
    package static func find(in file: WAVFile) -> Range<Int>? {
        guard let loud = loudRange(of: file) else { return nil }
        guard loud.count / file.sampleRate < maxSeconds else { return loud }
        var detector = VoiceActivityDetector(settings: settings, sampleRate: file.sampleRate)
        var (first, last): (Int?, Int) = (nil, 0)
        func note(_ events: [VoiceActivityEvent]) {
            for event in events {
                switch event.kind {
                case .started: first = first ?? event.position
                case .ended: last = event.position
                }
            }
        }
        for block in blocks(of: loud) { note(detector.append(file.samples(block))) }
        note(detector.finish())
        guard let first else { return nil }
        let end = min(loud.count, last + Int(padding * Double(file.sampleRate)))
        return loud.lowerBound + first..<loud.lowerBound + max(first, end)
    }

    /// The samples without those next to nothing at both ends.
    private static func loudRange(of file: WAVFile) -> Range<Int>? {
        var peak: Float = 0
        for block in blocks(of: 0..<file.sampleCount) {
            for sample in file.samples(block) { peak = max(peak, abs(sample)) }
        }
        guard peak > 0 else { return nil }
        let threshold = min(weakest, peak * share)
        var (first, last): (Int?, Int) = (nil, 0)
        for block in blocks(of: 0..<file.sampleCount) {
            for (index, sample) in file.samples(block).enumerated() where abs(sample) >= threshold {
                first = first ?? block.lowerBound + index
                last = block.lowerBound + index
            }
        }
        return first.map { $0..<last + 1 }
    }

    private static func blocks(of range: Range<Int>) -> some Sequence<Range<Int>> {
        stride(from: range.lowerBound, to: range.upperBound, by: blockLength).lazy.map {
            $0..<min(range.upperBound, $0 + blockLength)
        }
    }
}
