import Dispatch
import LeapBase

/// The player behind queues of its own: whoever has it play never waits for it, and what is late of an earlier reply is
/// not played.
final class VoicePlayback: Sendable {
    private struct Present {
        /// The turn whose sound is played.
        var turn: Int?
        /// Seconds that it lasts, and when it began.
        var duration = 0.0
        var begin: Duration?
    }

    let player: any VoiceAudioPlayer
    private let present = Locked(Present())
    private let sounds = DispatchQueue(label: "leap.voice.sounds")
    private let stops = DispatchQueue(label: "leap.voice.stops")
    private let stopping = DispatchGroup()

    init(player: any VoiceAudioPlayer) {
        self.player = player
    }

    /// A reply begins.
    func begin(turn: Int) {
        present.withLock { $0 = Present(turn: turn) }
    }

    /// Plays samples of a turn's reply, if that is still the one that is played.
    func enqueue(_ samples: [Float], _ sampleRate: Int, turn: Int, now: Duration) {
        let isPresent = present.withLock { present -> Bool in
            guard present.turn == turn else { return false }
            present.begin = present.begin ?? now
            present.duration += Double(samples.count) / Double(max(1, sampleRate))
            return true
        }
        guard isPresent, !samples.isEmpty else { return }
        sounds.async { [self] in
            // A sound of this reply must not be ended by what ended the one before.
            stopping.wait()
            guard isPlaying(turn) else { return }
            player.enqueue(samples: samples, sampleRate: sampleRate)
            if !isPlaying(turn) { player.stop() }
        }
    }

    private func isPlaying(_ turn: Int) -> Bool { present.withLock { $0.turn == turn } }

    /// Returns whether a turn's reply has any sound.
    func hasAudio(turn: Int) -> Bool { present.withLock { $0.turn == turn && $0.duration > 0 } }

    /// Seconds of sound that are still to be played, by the clock.
    func remaining(now: Duration) -> Duration {
        present.withLock { present in
            guard let begin = present.begin else { return .zero }
            return max(.zero, begin + .seconds(present.duration) - now)
        }
    }

    /// Returns when everything was played.
    func wait() async {
        await withCheckedContinuation { continuation in sounds.async { continuation.resume() } }
        await player.waitForPlayback()
    }

    /// Ends the sound.
    func silence() {
        present.withLock { $0 = Present() }
        stops.async(group: stopping) { [player] in player.stop() }
    }

    /// Calls a function when the player has done what it was asked for before.
    func whenSilent(_ body: @escaping @Sendable () -> Void) { stops.async(execute: body) }

    func duck(_ isDucked: Bool) {
        stops.async(group: stopping) { [player] in player.duck(isDucked) }
    }
}
