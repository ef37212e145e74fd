import LeapAudio

/// Cuts utterances out of what a microphone hears.
///
/// Memory: what precedes an utterance as padding, and an utterance of a minute at most. A longer one becomes several,
/// none of which lacks a sample between them.
struct UtteranceCutter {
    enum Event: Equatable {
        /// Speech may be beginning, or what seemed to be speech was none.
        case likely(Bool)
        case started
        case utterance([Float])
    }

    /// Seconds at the end of an utterance that is too long in which a quiet place is looked for, and the length of such
    /// a place.
    private static let (search, pause) = (5.0, 0.1)
    /// Seconds of speech behind a cut that make it another utterance.
    private static let continuation = 0.1

    /// Seconds of an utterance at most.
    private let maxSeconds: Double
    private let sampleRate: Int
    private let settings: VoiceActivitySettings
    private var detector: VoiceActivityDetector
    /// The latest samples, and the position of the first of them.
    private var samples: [Float] = []
    private var first = 0
    private var start: Int?
    /// The position at which an utterance that goes on was cut, and the one that it must reach to make another
    /// utterance.
    private var cut: (position: Int, lasting: Int)?
    private var isLikely = false
    /// The position up to which ``takeHeard()`` gave the utterance out.
    private var told = 0

    init(settings: VoiceActivitySettings, sampleRate: Int, maxSeconds: Double = 60) {
        self.maxSeconds = maxSeconds
        self.settings = settings
        self.sampleRate = sampleRate
        detector = VoiceActivityDetector(settings: settings, sampleRate: sampleRate)
    }

    /// Takes samples and says what follows from them.
    mutating func append(_ new: [Float]) -> [Event] {
        // In short pieces, so that what is cut does not depend on how many come.
        let length = max(1, count(of: Self.pause))
        return stride(from: 0, to: new.count, by: length).flatMap {
            hear(Array(new[$0..<min(new.count, $0 + length)]))
        }
    }

    private mutating func hear(_ new: [Float]) -> [Event] {
        var events: [Event] = []
        samples += new
        let end = first + samples.count
        for event in detector.append(new) {
            switch event.kind {
            case .started:
                start = event.position
                cut = nil
                events.append(.started)
            case .ended:
                if let cut, event.position > cut.position + count(of: Self.continuation) { resume(at: cut, &events) }
                cut = nil
                events += endUtterance(at: event.knownAt)
            }
        }
        if let cut, end >= cut.lasting, detector.isSpeaking, detector.probability > settings.threshold {
            resume(at: cut, &events)
        }
        let isLikely = detector.probability > settings.threshold && start == nil && cut == nil
        if isLikely != self.isLikely {
            self.isLikely = isLikely
            events.append(.likely(isLikely))
        }
        if let start, end - start > count(of: maxSeconds) {
            let position = quietPlace(before: end)
            events += endUtterance(at: position)
            cut = (position, end + count(of: Self.continuation))
        }
        forget(end)
        return events
    }

    /// The samples of the utterance that is being heard which were not returned before.
    mutating func takeHeard() -> [Float] {
        guard let start else { return [] }
        let from = max(start, told, first)
        told = first + samples.count
        return Array(samples.dropFirst(from - first))
    }

    /// Goes on with an utterance that was cut, as another one.
    private mutating func resume(at cut: (position: Int, lasting: Int), _ events: inout [Event]) {
        start = cut.position
        self.cut = nil
        events.append(.started)
    }

    /// Ends the utterance that is being heard, and gives it.
    mutating func take() -> [Float] {
        start = start ?? cut?.position
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

    /// The middle of the quietest moment before a position: as a rule between two words.
    private func quietPlace(before end: Int) -> Int {
        let length = max(1, count(of: Self.pause))
        let from = max(0, samples.count - min(count(of: Self.search), count(of: maxSeconds) / 2))
        var (least, place) = (Float.infinity, samples.count)
        for start in stride(from: from, through: samples.count - length, by: length) {
            let power = samples[start..<start + length].reduce(0) { $0 + $1 * $1 }
            if power < least { (least, place) = (power, start + length / 2) }
        }
        return first + place
    }

    private func count(of seconds: Double) -> Int { Int(seconds * Double(sampleRate)) }

    /// Begins anew, as an utterance that the detector has not ended must not be heard twice.
    private mutating func restart() {
        detector.interrupt()
        cut = nil
        first += samples.count
        samples = []
    }

    private mutating func forget(_ end: Int) {
        // An onset may be a tenth of a second old when it is known.
        let padding = count(of: settings.prefixPadding + 0.3)
        let needed = start ?? cut?.position ?? end - padding
        guard needed - first > padding else { return }
        samples.removeFirst(min(samples.count, needed - first))
        first = needed
    }
}
