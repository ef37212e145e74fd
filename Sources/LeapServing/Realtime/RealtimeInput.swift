import LeapAudio
import LeapCore

/// The sound that a realtime session's client sends, and the places of speech in it.
struct RealtimeInput {
    /// A finding in the sound.
    enum Change {
        /// Somebody begins to speak.
        case started(item: String, milliseconds: Int)
        /// Somebody has spoken.
        case ended(item: String, milliseconds: Int, ChatMessageContent)
    }

    /// The maximum length of a sound in seconds.
    static let maxSeconds = 600
    /// Samples that are taken at a time: half a second.
    static let pieceLength = PCM16.sampleRate / 2

    private let listen: () throws -> AudioInputStream
    private var turns: RealtimeAudioSettings.Turns?
    private var detector: VoiceActivityDetector?
    /// The position in the session's sound at which the detector begins.
    private var origin = 0
    /// Samples that came in the session.
    private var received = 0
    /// The latest samples that belong to no sound yet.
    private var kept: [Float] = []
    private var sound: AudioInputStream?
    private var item = ""
    /// True if sounds are transcribed while they come, where the model can.
    var transcribes = false
    /// The transcription of the sound; nil where there is none.
    private var live: LiveTranscription?
    /// Transcriptions that began since they were taken last, by the items that their sounds become.
    private var begun: [(item: String, live: LiveTranscription)] = []

    init(_ turns: RealtimeAudioSettings.Turns?, listen: @escaping () throws -> AudioInputStream) {
        self.listen = listen
        set(turns)
    }

    /// Sets the detection of turns; where that changes, sound that was not taken yet is dropped.
    mutating func set(_ turns: RealtimeAudioSettings.Turns?) {
        guard turns != self.turns || received == 0 else { return }
        self.turns = turns
        clear()
    }

    /// Forgets the sound that was not taken yet.
    mutating func clear() {
        live?.cancel()
        live = nil
        sound = nil
        kept = []
        origin = received
        detector = turns.map {
            VoiceActivityDetector(
                settings: VoiceActivitySettings(
                    threshold: $0.threshold, prefixPadding: Double($0.prefixMilliseconds) / 1000,
                    silenceDuration: Double($0.silenceMilliseconds) / 1000), sampleRate: PCM16.sampleRate)
        }
    }

    /// Takes samples, no more than ``pieceLength``.
    ///
    /// - Throws: ``APIError`` or ``LeapException`` where they cannot be taken; what was not taken yet is forgotten then
    ///   where turns are told, as the next samples would fail as well.
    mutating func append(_ samples: [Float]) throws -> [Change] {
        guard var detector else {
            if sound == nil { try begin() }
            try take(samples)
            received += samples.count
            return []
        }
        var changes: [Change] = []
        let start = received - origin
        received += samples.count
        let events = detector.append(samples)
        self.detector = detector
        kept += samples
        do {
            // The position of the first kept sample, by the detector's count.
            var base = start + samples.count - kept.count
            for event in events {
                switch event.kind {
                case .started:
                    try begin()
                    kept.removeFirst(min(kept.count, max(0, event.position - base)))
                    changes.append(.started(item: item, milliseconds: milliseconds(event.position)))
                case .ended:
                    let count = min(kept.count, max(0, event.knownAt - base))
                    try take(Array(kept.prefix(count)))
                    kept.removeFirst(count)
                    changes.append(
                        .ended(item: item, milliseconds: milliseconds(event.knownAt), try finish()))
                }
                base = start + samples.count - kept.count
            }
            if sound != nil {
                try take(kept)
                kept = []
            }
        } catch {
            clear()
            throw error
        }
        if let turns {
            let most = PCM16.sampleRate * (turns.prefixMilliseconds + 1000) / 1000
            if kept.count > most { kept.removeFirst(kept.count - most) }
        }
        return changes
    }

    /// Ends the sound without waiting for a turn's end.
    ///
    /// - Throws: ``APIError`` where there is none.
    mutating func commit() throws -> (item: String, ChatMessageContent) {
        guard sound != nil else {
            throw APIError.invalid(
                turns == nil
                    ? "there is no audio to commit: append some first"
                    : "the audio contains no speech, so there is nothing to commit",
                code: "input_audio_buffer_commit_empty")
        }
        let item = item
        let content = try finish()
        clear()
        return (item, content)
    }

    private func milliseconds(_ position: Int) -> Int { PCM16.milliseconds(origin + position) }

    private mutating func begin() throws {
        let sound = try listen()
        (self.sound, item) = (sound, Identifier.make("item_"))
        guard transcribes, let live = try? sound.transcribeLive() else { return }
        self.live = live
        begun.append((item, live))
    }

    /// The item that the sound becomes; nil where there is none.
    var currentItem: String? { sound == nil ? nil : item }

    /// Returns the transcriptions that began since this was called last.
    mutating func takeBegun() -> [(item: String, live: LiveTranscription)] {
        defer { begun = [] }
        return begun
    }

    private func take(_ samples: [Float]) throws {
        guard let sound, !samples.isEmpty else { return }
        guard sound.duration < Double(Self.maxSeconds) else {
            throw APIError.invalid(
                "the audio is longer than \(Self.maxSeconds) seconds: commit or clear it before",
                code: "input_audio_buffer_full")
        }
        try sound.append(samples)
    }

    private mutating func finish() throws -> ChatMessageContent {
        defer { (sound, live) = (nil, nil) }
        guard let sound else { throw APIError.invalid("there is no audio") }
        return try sound.finish()
    }
}
