import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

/// The places at which speech begins and ends, in sounds that are made here: harmonics with formants, in syllables.
struct VoiceActivityTests {
    private static let rate = 16_000

    /// Syllables of a voice: harmonics of a falling tone under two formants, with gaps of 60 ms, as loud as -25 dB.
    static func utterance(seconds: Double, pitch: Double = 120, rate: Int = rate) -> [Float] {
        let count = Int(seconds * Double(rate))
        var samples = [Float](repeating: 0, count: count)
        let length = rate * 24 / 100
        for start in stride(from: 0, to: count, by: length) {
            let time = Double(start) / Double(rate)
            let formants = [500 + 300 * sin(time * 5), 1500 + 500 * cos(time * 3)]
            for harmonic in 1...12 {
                let frequency = (pitch - 4 * time) * Double(harmonic)
                let gain = formants.reduce(0.02) { $0 + exp(-pow((frequency - $1) / 200, 2)) }
                let step = 2 * Double.pi * frequency / Double(rate)
                for index in 0..<min(length * 3 / 4, count - start) {
                    samples[start + index] += Float(gain * sin(step * Double(index)))
                }
            }
            for index in 0..<min(length * 3 / 4, count - start) {
                samples[start + index] *= Float(sin(.pi * Double(index) / Double(length * 3 / 4)))
            }
        }
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, count))
        let scale = Float(pow(10, -25.0 / 20) / max(1e-9, power.squareRoot()))
        for index in samples.indices { samples[index] *= scale }
        return samples
    }

    /// White noise of a power, relative to full scale.
    static func noise(_ count: Int, decibels: Double, seed: UInt64 = 1) -> [Float] {
        var numbers = SeededGenerator(seed: seed)
        let scale = Float(pow(10, decibels / 20) * 3.0.squareRoot())
        return (0..<count).map { _ in Float.random(in: -1...1, using: &numbers) * scale }
    }

    /// Utterances of a second and a half between pauses of two seconds, in noise; and where they are.
    private static func recording(noise level: Double?, count: Int, rate: Int = rate) -> ([Float], [Range<Int>]) {
        var samples = [Float](repeating: 0, count: 2 * rate)
        var places: [Range<Int>] = []
        for index in 0..<count {
            let said = utterance(seconds: 1.5, pitch: 100 + 40 * Double(index), rate: rate)
            places.append(samples.count..<samples.count + said.count)
            samples += said + [Float](repeating: 0, count: 2 * rate)
        }
        if let level {
            for (index, value) in noise(samples.count, decibels: level).enumerated() { samples[index] += value }
        }
        return (samples, places)
    }

    private static func events(
        _ samples: [Float], rate: Int = rate, piece: Int = .max, settings: VoiceActivitySettings = .init()
    ) -> [VoiceActivityEvent] {
        var detector = VoiceActivityDetector(settings: settings, sampleRate: rate)
        var events: [VoiceActivityEvent] = []
        var start = 0
        while start < samples.count {
            let end = piece == .max ? samples.count : min(samples.count, start + piece)
            events += detector.append(samples[start..<end])
            start = end
        }
        events += detector.finish()
        return events
    }

    @Test(
        "Each utterance is heard whole, once, and nothing between them",
        arguments: TestLevel.cases(
            [(nil, 16_000), (-60, 8000), (-45, 48_000), (-35, 16_000), (-30, 16_000)] as [(Double?, Int)], standard: 3))
    func utterances(noise: Double?, rate: Int) {
        let (samples, places) = Self.recording(noise: noise, count: 2, rate: rate)
        let events = Self.events(samples, rate: rate)
        #expect(events.map(\.kind) == places.flatMap { _ in [VoiceActivityEvent.Kind.started, .ended] })
        for (place, index) in zip(places, stride(from: 0, to: events.count - 1, by: 2)) {
            let (start, end) = (events[index], events[index + 1])
            #expect(start.position <= place.lowerBound && place.lowerBound - start.position < rate / 2)
            // Known a quarter of a second later at most, and the end half a second of silence after it.
            #expect(start.knownAt - place.lowerBound < rate / 4)
            #expect(abs(end.position - place.upperBound) < rate / 5)
            #expect(abs(end.knownAt - end.position - rate / 2) <= rate / 50)
        }
    }

    @Test("The pieces that samples come in change nothing", arguments: [16_000, 44_100])
    func pieces(rate: Int) {
        var (samples, _) = Self.recording(noise: -40, count: 1, rate: rate)
        samples.removeLast(rate)
        let whole = Self.events(samples, rate: rate)
        #expect(whole.count == 2)
        for piece in TestLevel.cases([7, 160, 4097], standard: 1) {
            #expect(Self.events(samples, rate: rate, piece: piece) == whole, "\(piece) at a time")
        }
    }

    @Test(
        "Noise alone is no speech, from its beginning on",
        arguments: [-70.0, -55])
    func noiseAlone(level: Double) {
        #expect(Self.events(Self.noise(6 * Self.rate, decibels: level)).isEmpty)
        #expect(Self.events([Float](repeating: 0, count: 3 * Self.rate)).isEmpty)
    }

    @Test("Noise that becomes louder counts as speech for a few seconds at most, and an utterance in it is heard")
    func adapts() {
        let loud = Self.noise(16 * Self.rate, decibels: -35, seed: 2)
        var samples = Self.noise(4 * Self.rate, decibels: -60) + loud
        let place = 14 * Self.rate
        for (index, value) in Self.utterance(seconds: 1.5).enumerated() { samples[place + index] += value }
        let events = Self.events(samples)
        #expect(events.filter { $0.kind == .ended && $0.position < 9 * Self.rate }.count <= 1)
        let last = events.suffix(2)
        #expect(abs((last.first?.position ?? 0) - place) < Self.rate / 2)
        #expect(abs((last.last?.position ?? 0) - place - Self.rate * 3 / 2) < Self.rate / 5)
    }

    @Test("A click is no utterance")
    func clicks() {
        var samples = Self.noise(5 * Self.rate, decibels: -60)
        for second in 1..<5 {
            for index in 0..<80 { samples[second * Self.rate + index] += index % 2 == 0 ? 0.8 : -0.8 }
        }
        #expect(Self.events(samples).isEmpty)
    }

    @Test("Speech from the first sample on is heard, and one that the recording cuts off ends with it")
    func edges() {
        let events = Self.events(Self.utterance(seconds: 2))
        #expect(events.map(\.kind) == [.started, .ended])
        #expect(events.first?.position == 0)
        #expect(events.last?.position == 2 * Self.rate && events.last?.knownAt == 2 * Self.rate)
    }

    @Test("A longer silence joins what a shorter one parts; padding moves the start, never across an earlier end")
    func settings() {
        let pause = [Float](repeating: 0, count: Self.rate * 7 / 10)
        let lead = [Float](repeating: 0, count: Self.rate)
        let samples = lead + Self.utterance(seconds: 1) + pause + Self.utterance(seconds: 1) + lead
        func of(_ silence: Double, _ padding: Double) -> [VoiceActivityEvent] {
            Self.events(samples, settings: VoiceActivitySettings(prefixPadding: padding, silenceDuration: silence))
        }
        #expect(of(0.4, 0.3).count == 4)
        #expect(of(0.9, 0.3).count == 2)
        let (unpadded, padded) = (of(0.4, 0), of(0.4, 0.2))
        #expect((unpadded.first?.position ?? 0) - (padded.first?.position ?? 0) == Self.rate / 5)
        let long = of(0.2, 10)
        #expect(long.first?.position == 0)
        #expect(long.count == 4 && long[2].position == long[1].position)
        // What a threshold of 1 asks for, nothing has.
        #expect(Self.events(samples, settings: VoiceActivitySettings(threshold: 1)).isEmpty)
        let bounded = VoiceActivitySettings(threshold: 7, prefixPadding: -1, silenceDuration: .nan)
        #expect(bounded == VoiceActivitySettings(threshold: 1, prefixPadding: 0, silenceDuration: 0.5))
    }

    @Test("A quieter voice needs a lower threshold")
    func threshold() {
        var samples = Self.noise(5 * Self.rate, decibels: -24)
        for (index, value) in Self.utterance(seconds: 1.5).enumerated() {
            samples[2 * Self.rate + index] += value * 0.6
        }
        let counts = [0.1, 0.5, 0.95].map {
            Self.events(samples, settings: VoiceActivitySettings(threshold: $0)).count
        }
        #expect(counts == counts.sorted(by: >))
        #expect((counts.first ?? 0) > (counts.last ?? 0))
    }

    @Test("What is no number, or beyond all measure, traps nothing and is forgotten")
    func badSamples() {
        var samples = Self.noise(2 * Self.rate, decibels: -60)
        for index in stride(from: 0, to: samples.count, by: 3) {
            samples[index] = [.nan, .infinity, -1e38][index / 3 % 3]
        }
        let quiet = Self.noise(8 * Self.rate, decibels: -60)
        let events = Self.events(samples + quiet + Self.utterance(seconds: 1.5) + Array(quiet.prefix(2 * Self.rate)))
        let last = events.suffix(2)
        #expect(last.map(\.kind) == [.started, .ended])
        #expect(abs((last.first?.position ?? 0) - 10 * Self.rate) < Self.rate / 2)
        for rate in [1, 100, 768_000] {
            var detector = VoiceActivityDetector(sampleRate: rate)
            _ = detector.append(samples.prefix(rate == 1 ? 7 : rate == 100 ? 300 : 3000))
            _ = detector.finish()
            #expect(detector.probability.isFinite)
        }
    }
}
