import LeapAudio

/// Cuts utterances out of what a microphone hears.
///
/// Memory: what precedes an utterance as padding, and an utterance of ``maxSeconds`` at most, where it is ended.
struct UtteranceCutter {
    enum Event: Equatable {
        /// Whether speech may be beginning.
        case likely(Bool)
        case started
        case utterance([Float])
    }

    /// Seconds of an utterance at most.
    static let maxSeconds = 60.0

    private let sampleRate: Int
    private let settings: VoiceActivitySettings
    private var detector: VoiceActivityDetector
    /// The latest samples, and the position of the first of them.
    private var samples: [Float] = []
    private var first = 0
    private var start: Int?
    private var isLikely = false

    init(settings: VoiceActivitySettings, sampleRate: Int) {
        self.settings = settings
        self.sampleRate = sampleRate
        detector = VoiceActivityDetector(settings: settings, sampleRate: sampleRate)
    }

    /// Takes samples and says what follows from them.
    mutating func append(_ new: [Float]) -> [Event] {
        var events: [Event] = []
        let end = first + samples.count + new.count
        samples += new
        for event in detector.append(new) {
            switch event.kind {
            case .started:
                start = event.position
                events.append(.started)
            case .ended: events += endUtterance(at: event.knownAt)
            }
        }
        let isLikely = detector.probability > settings.threshold && start == nil
        if isLikely != self.isLikely {
            self.isLikely = isLikely
            events.append(.likely(isLikely))
        }
        if let start, end - start > Int(Self.maxSeconds * Double(sampleRate)) { events += endUtterance(at: end) }
        forget(end)
        return events
    }

    /// Ends the utterance that is being heard, and gives it.
    mutating func take() -> [Float] {
        let events = endUtterance(at: first + samples.count)
        restart()
        guard case .utterance(let samples) = events.first else { return [] }
        return samples
    }

    /// Forgets the utterance that is being heard.
    mutating func drop() {
        start = nil
        restart()
    }

    private mutating func endUtterance(at position: Int) -> [Event] {
        guard let start else { return [] }
        self.start = nil
        let range = max(0, start - first)..<max(start - first, min(samples.count, position - first))
        return [.utterance(Array(samples[min(range.lowerBound, samples.count)..<min(range.upperBound, samples.count)]))]
    }

    /// Begins anew, as an utterance that the detector has not ended must not be heard twice.
    private mutating func restart() {
        detector.interrupt()
        first += samples.count
        samples = []
    }

    private mutating func forget(_ end: Int) {
        // An onset may be a tenth of a second old when it is known.
        let padding = Int((settings.prefixPadding + 0.3) * Double(sampleRate))
        let needed = start ?? end - padding
        guard needed - first > padding else { return }
        samples.removeFirst(min(samples.count, needed - first))
        first = needed
    }
}
