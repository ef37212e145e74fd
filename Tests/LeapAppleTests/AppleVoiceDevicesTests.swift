import AVFAudio
import Foundation
import LeapBase
import Testing

@testable import LeapUiOverStubs

/// Suites that share the one stub of a microphone, one behind the other.
@Suite(.serialized)
enum StubbedDevices {}

extension StubbedDevices {
    /// The microphone and the loudspeaker of an Apple device, over stubs of AVFAudio and AVFoundation.
    @Suite(.serialized, .timeLimit(.minutes(30)))
    struct AppleVoiceDevicesTests {
        private let microphone = StubMicrophone.shared

        init() { microphone.reset() }

        private func until(_ condition: () -> Bool) async throws {
            for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
            try #require(condition())
        }

        private func player(_ engine: AVAudioEngine?) throws -> AVAudioPlayerNode {
            try #require(engine?.attachedNodes.first as? AVAudioPlayerNode)
        }

        @Test("Without permission nothing is recorded; where the person was not asked yet, they are")
        func permission() async {
            let recorder = AppleVoiceRecorder()
            microphone.state.withLock { $0.permission = 2 }
            #expect(!recorder.start() && recorder.problem == .permissionDenied)
            #expect(microphone.state.withLock { $0.requests } == 0)
            microphone.state.withLock { $0.permission = 0 }
            #expect(!recorder.start() && recorder.problem == .permissionDenied)
            #expect(microphone.state.withLock { $0.requests } == 1)
            #expect(microphone.running.isEmpty)
            microphone.state.withLock { $0.permission = 3 }
            #expect(recorder.start() && recorder.problem == nil)
            await recorder.cancel()
        }

        @Test("A recording gives what the tap got, at the input's rate, and leaves neither a tap nor an engine behind")
        func records() async throws {
            microphone.state.withLock { $0.sampleRate = 44_100 }
            let recorder = AppleVoiceRecorder()
            #expect(recorder.start())
            let engine = try #require(microphone.running.first)
            #expect(engine.inputNode.isVoiceProcessingEnabled)
            #expect(microphone.state.withLock { $0.session } == ["playAndRecord voiceChat 12", "active: true"])
            engine.inputNode.deliver([0.5, -0.5])
            engine.inputNode.deliver([0.25])
            #expect(recorder.amplitude > 0 && recorder.nativeSampleRate == 44_100)
            #expect(await recorder.stop() == [0.5, -0.5, 0.25])
            #expect(!engine.isRunning && !engine.inputNode.hasTap)
            #expect(recorder.amplitude == 0)
            #expect(await recorder.stop().isEmpty)
        }

        @Test("A recording for a function keeps nothing")
        func streams() async throws {
            let recorder = AppleVoiceRecorder()
            let heard = Locked<[Float]>([])
            #expect(recorder.start { samples in heard.withLock { $0 += samples } })
            try #require(microphone.running.first).inputNode.deliver([0.1, 0.2])
            #expect(heard.withLock { $0 } == [0.1, 0.2])
            #expect(await recorder.stop().isEmpty)
        }

        @Test("No device, one that does not start, one that goes away and a recording without end are problems")
        func problems() async throws {
            let recorder = AppleVoiceRecorder()
            microphone.state.withLock { $0.sampleRate = 0 }
            #expect(!recorder.start() && recorder.problem == .microphoneUnavailable("there is no input device"))
            microphone.state.withLock { state in
                state.sampleRate = 1
                state.failure = "it is in use"
            }
            #expect(!recorder.start() && recorder.problem == .microphoneUnavailable("it is in use"))
            microphone.state.withLock { $0.failure = nil }
            #expect(recorder.start() && recorder.problem == nil)
            let engine = try #require(microphone.running.first)
            engine.inputNode.deliver([Float](repeating: 0, count: AppleVoiceRecorder.maxSeconds))
            #expect(recorder.problem == nil)
            engine.inputNode.deliver([0])
            #expect(recorder.problem == .microphoneLost("a recording has at most 600 seconds"))
            #expect(recorder.start())
            let second = try #require(microphone.running.first)
            NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: second)
            #expect(recorder.problem == .microphoneLost("the input device changed"))
            await recorder.cancel()
            #expect(microphone.running.isEmpty)
        }

        @Test("Sounds are played one behind the other, and waiting ends when all were")
        func plays() async throws {
            let player = AppleVoicePlayer()
            player.enqueue(samples: [0.5, 0.5], sampleRate: 24_000)
            player.enqueue(samples: [0.25], sampleRate: 24_000)
            let engine = try #require(microphone.running.first)
            let node = try self.player(engine)
            #expect(node.isPlaying && node.scheduled == [[0.5, 0.5], [0.25]] && player.amplitude > 0)
            let connection = try #require(engine.connections.first)
            #expect(connection.to === engine.mainMixerNode && connection.format?.sampleRate == 24_000)
            let isDone = OneWaySwitch()
            let waiting = Task {
                await player.waitForPlayback()
                isDone.set()
            }
            node.finishFirst()
            try await Task.sleep(for: .milliseconds(30))
            #expect(!isDone.isSet)
            node.finishFirst()
            await waiting.value
            #expect(player.amplitude == 0)
        }

        @Test("Stopping ends the sound at once, and what ends late does not count")
        func stops() async throws {
            let player = AppleVoicePlayer()
            player.enqueue(samples: [0.5], sampleRate: 24_000)
            player.stop()
            await player.waitForPlayback()
            #expect(player.amplitude == 0)
            let node = try self.player(microphone.running.first)
            #expect(node.scheduled.isEmpty && !node.isPlaying)
            player.enqueue(samples: [0.5], sampleRate: 24_000)
            #expect(player.amplitude > 0 && node.isPlaying && microphone.running.count == 1)
            player.stop()
        }

        @Test("Another rate takes another engine; what is ducked stays so")
        func rates() throws {
            let player = AppleVoicePlayer()
            player.enqueue(samples: [0.5], sampleRate: 24_000)
            let first = try #require(microphone.running.first)
            player.duck(true)
            #expect(try self.player(first).volume == 0.2)
            player.enqueue(samples: [0.5], sampleRate: 16_000)
            let second = try #require(microphone.running.first)
            #expect(first !== second && !first.isRunning && microphone.running.count == 1)
            #expect(try self.player(second).volume == 0.2)
            player.duck(false)
            #expect(try self.player(second).volume == 1)
            player.stop()
            microphone.state.withLock { $0.failure = "no output" }
            player.enqueue(samples: [0.5], sampleRate: 8_000)
            #expect(player.problem == .playerUnavailable("no output"))
        }

        @Test("An assistant with the device's microphone and loudspeaker hears and answers")
        func assistant() async throws {
            let conversation = Echo()
            let store = VoiceAssistantStore.makeForApple()
            store.setConversation(conv: conversation)
            store.processIntent(intent: .toggle)
            try await until { store.state.value.widgetState == .listening }
            try #require(microphone.running.first).inputNode.deliver([0.5, 0.25])
            store.processIntent(intent: .toggle)
            try await until { microphone.running.contains { !$0.attachedNodes.isEmpty } }
            let node = try player(microphone.running.first { !$0.attachedNodes.isEmpty })
            #expect(node.scheduled == [[0.5, 0.25]])
            node.finishFirst()
            try await until { store.state.value.widgetState == .idle }
            store.close()
        }
    }
}

/// Says what it heard.
final class Echo: VoiceConversation {
    func generateResponse(
        audioSamples: [Float], sampleRate: Int,
        onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
    ) async throws -> GenerationStats? {
        onAudioChunk(audioSamples, sampleRate)
        return nil
    }

    func reset() {}
}
