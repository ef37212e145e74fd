#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(AVFAudio))
    import AVFAudio
    import AVFoundation
    import LeapBase

    /// The microphone of an Apple device, through `AVAudioEngine`, with the system's echo cancellation if available.
    ///
    /// The app's `Info.plist` needs `NSMicrophoneUsageDescription`. The first recording asks the person for permission.
    /// Until it is granted, ``start()`` returns false with ``VoiceProblem/permissionDenied``.
    public final class AppleVoiceRecorder: VoiceAudioStreamRecorder {
        /// The maximum length, in seconds, of a recording that is kept for ``stop()``.
        public static let maxSeconds = 600

        private struct Recording {
            var engine: AVAudioEngine?
            var sampleRate = 48_000
            var samples: [Float] = []
            var amplitude: Float = 0
            var problem: VoiceProblem?
            var observer: (any NSObjectProtocol)?
        }

        // Sendable although the engine is not: it is used behind the lock only.
        private final class Box: @unchecked Sendable {
            let recording = Locked(Recording())
        }

        private let box = Box()

        /// Creates a recorder; ``start()`` opens the microphone.
        public init() {}

        /// The number of samples per second of the input at the latest ``start()``.
        public var nativeSampleRate: Int { box.recording.withLock { $0.sampleRate } }
        /// The current loudness of the recording, in 0...1.
        public var amplitude: Float { box.recording.withLock { $0.amplitude } }
        /// The problem that prevented or ended a recording; nil if there is none.
        public var problem: VoiceProblem? { box.recording.withLock { $0.problem } }

        /// Starts a recording.
        public func start() -> Bool { begin(nil) }

        /// Starts a recording whose samples are passed to a function.
        public func start(onSamples: @escaping @Sendable ([Float]) -> Void) -> Bool { begin(onSamples) }

        private func begin(_ onSamples: (@Sendable ([Float]) -> Void)?) -> Bool {
            end()
            guard Self.isPermitted() else {
                box.recording.withLock { $0.problem = .permissionDenied }
                return false
            }
            do {
                try Self.activateSession()
                let engine = AVAudioEngine()
                let input = engine.inputNode
                // Without it the reply would be heard; not every device has it.
                try? input.setVoiceProcessingEnabled(true)
                let format = input.outputFormat(forBus: 0)
                guard format.sampleRate > 0, format.channelCount > 0 else {
                    box.recording.withLock { $0.problem = .microphoneUnavailable("there is no input device") }
                    return false
                }
                record(input, format, onSamples)
                engine.prepare()
                try engine.start()
                let observer = observeChanges(of: engine)
                box.recording.withLock { recording in
                    recording.engine = engine
                    recording.observer = observer
                    recording.sampleRate = Int(format.sampleRate)
                }
                return true
            } catch {
                box.recording.withLock { $0.problem = .microphoneUnavailable(error.localizedDescription) }
                return false
            }
        }

        /// Sets up the app's audio for speech in both directions, on systems where apps share the devices.
        private static func activateSession() throws {
            #if canImport(UIKit) && !os(tvOS) && !os(watchOS)
                let session = AVAudioSession.sharedInstance()
                #if compiler(>=6.2)
                    // Since the SDK of iOS 26 by this name, for all versions of iOS.
                    let bluetooth = AVAudioSession.CategoryOptions.allowBluetoothHFP
                #else
                    let bluetooth = AVAudioSession.CategoryOptions.allowBluetooth
                #endif
                try session.setCategory(
                    .playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker, bluetooth])
                try session.setActive(true)
            #endif
        }

        /// Passes the samples of an input on, or keeps them where there is no function for them.
        private func record(
            _ input: AVAudioInputNode, _ format: AVAudioFormat, _ onSamples: (@Sendable ([Float]) -> Void)?
        ) {
            let box = box
            input.installTap(onBus: 0, bufferSize: 1024, format: format) { buffer, _ in
                guard let channel = buffer.floatChannelData?[0] else { return }
                let samples = (0..<Int(buffer.frameLength)).map { channel[$0 * buffer.stride] }
                let level = VoiceLevel.of(samples)
                box.recording.withLock { recording in
                    recording.amplitude = level
                    guard onSamples == nil else { return }
                    recording.samples += samples
                    if recording.samples.count > Self.maxSeconds * recording.sampleRate {
                        recording.problem = .microphoneLost("a recording has at most \(Self.maxSeconds) seconds")
                    }
                }
                onSamples?(samples)
            }
        }

        /// Notes where another device was chosen, or the one in use went away: the engine has stopped.
        private func observeChanges(of engine: AVAudioEngine) -> any NSObjectProtocol {
            let box = box
            return NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
            ) { _ in
                box.recording.withLock { $0.problem = .microphoneLost("the input device changed") }
            }
        }

        /// Returns whether recording is permitted; asks where the person was not asked yet.
        private static func isPermitted() -> Bool {
            switch AVCaptureDevice.authorizationStatus(for: .audio) {
            case .authorized: return true
            case .notDetermined:
                AVCaptureDevice.requestAccess(for: .audio) { _ in }
                return false
            default: return false
            }
        }

        /// Ends the recording.
        @discardableResult
        private func end() -> [Float] {
            box.recording.withLock { recording in
                recording.engine?.inputNode.removeTap(onBus: 0)
                recording.engine?.stop()
                recording.observer.map { NotificationCenter.default.removeObserver($0) }
                defer {
                    recording = Recording(sampleRate: recording.sampleRate)
                }
                return recording.samples
            }
        }

        /// Ends the recording and returns its samples.
        public func stop() async -> [Float] { end() }

        /// Ends the recording and discards it.
        public func cancel() async { end() }
    }

    /// The loudspeaker of an Apple device, through `AVAudioEngine`.
    public final class AppleVoicePlayer: VoiceAudioPlayer {
        private struct Present {
            var engine: AVAudioEngine?
            var node: AVAudioPlayerNode?
            var sampleRate = 0
            var level: Float = 0
            /// Buffers that wait or are played, and counts of stops: what ends later does not count.
            var waiting = 0
            var run = 0
            var isDucked = false
            var problem: VoiceProblem?
        }

        // Sendable although the engine is not: it is used behind the lock only.
        private final class Box: @unchecked Sendable {
            let present = Locked(Present())
        }

        private let box = Box()

        /// Creates a player; the first sound opens the loudspeaker.
        public init() {}

        /// The current loudness of the playback, in 0...1.
        public var amplitude: Float { box.present.withLock { $0.waiting > 0 ? $0.level : 0 } }
        /// The problem that prevented playback of the latest sound; nil if there is none.
        public var problem: VoiceProblem? { box.present.withLock { $0.problem } }

        /// Plays samples after those already queued.
        public func enqueue(samples: [Float], sampleRate: Int) {
            guard !samples.isEmpty, sampleRate > 0,
                let format = AVAudioFormat(standardFormatWithSampleRate: Double(sampleRate), channels: 1),
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
                let channel = buffer.floatChannelData?[0]
            else { return }
            for (index, sample) in samples.enumerated() { channel[index] = sample }
            buffer.frameLength = AVAudioFrameCount(samples.count)
            let level = VoiceLevel.of(samples)
            let box = box
            box.present.withLock { present in
                do {
                    let node = try Self.node(&present, format, sampleRate)
                    let run = present.run
                    present.waiting += 1
                    present.problem = nil
                    node.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack) { _ in
                        // Stopping a node calls this while the lock is taken.
                        DispatchQueue.global().async {
                            box.present.withLock { present in
                                guard present.run == run else { return }
                                present.waiting -= 1
                                present.level = level
                            }
                        }
                    }
                    if present.level == 0 { present.level = level }
                    node.play()
                } catch {
                    present.problem = .playerUnavailable(error.localizedDescription)
                }
            }
        }

        private static func node(
            _ present: inout Present, _ format: AVAudioFormat, _ sampleRate: Int
        ) throws -> AVAudioPlayerNode {
            if let node = present.node, present.sampleRate == sampleRate, present.engine?.isRunning == true {
                return node
            }
            present.engine?.stop()
            let (engine, node) = (AVAudioEngine(), AVAudioPlayerNode())
            engine.attach(node)
            engine.connect(node, to: engine.mainMixerNode, format: format)
            try engine.start()
            node.volume = present.isDucked ? 0.2 : 1
            present.engine = engine
            present.node = node
            present.sampleRate = sampleRate
            present.waiting = 0
            present.run += 1
            return node
        }

        /// Returns when playback has finished, or ``stop()`` was called.
        public func waitForPlayback() async {
            while box.present.withLock({ $0.waiting > 0 }) { try? await Task.sleep(for: .milliseconds(10)) }
        }

        /// Stops the sound at once.
        public func stop() {
            box.present.withLock { present in
                present.run += 1
                present.waiting = 0
                present.level = 0
                present.node?.stop()
            }
        }

        /// Reduces playback to a fifth of the amplitude, or restores it.
        public func duck(_ isDucked: Bool) {
            box.present.withLock { present in
                present.isDucked = isDucked
                present.node?.volume = isDucked ? 0.2 : 1
            }
        }
    }

    extension VoiceAssistantStore {
        /// Creates an assistant with the device's microphone and loudspeaker.
        ///
        /// - Parameters:
        ///   - recorder: a replacement for the microphone; nil for the device's own.
        ///   - player: a replacement for the loudspeaker; nil for the device's own.
        ///   - smoothingAlpha: the weight of each new amplitude in the smoothed one, in 0...1.
        ///   - playbackTimeoutMs: milliseconds that playback of a reply may exceed its length.
        ///   - interruptToSpeak: whether a person who starts to speak ends a reply.
        ///   - labels: the status texts.
        ///   - turnDetection: the settings for the start and end of utterances in hands-free mode.
        public static func makeForApple(
            recorder: (any VoiceAudioRecorder)? = nil, player: (any VoiceAudioPlayer)? = nil,
            smoothingAlpha: Float = 0.3, playbackTimeoutMs: Int = 10_000, interruptToSpeak: Bool = true,
            labels: VoiceWidgetLabels = .init(), turnDetection: VoiceTurnDetection = .init()
        ) -> VoiceAssistantStore {
            VoiceAssistantStore(
                recorder: recorder ?? AppleVoiceRecorder(), player: player ?? AppleVoicePlayer(),
                smoothingAlpha: smoothingAlpha, playbackTimeoutMs: playbackTimeoutMs,
                interruptToSpeak: interruptToSpeak, labels: labels, turnDetection: turnDetection)
        }
    }
#endif
