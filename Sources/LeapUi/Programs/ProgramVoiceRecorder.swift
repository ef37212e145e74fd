#if os(Linux)
    import Foundation
    import LeapBase

    /// The microphone of a Linux desktop, through `pw-record` (PipeWire) or `arecord` (ALSA).
    ///
    /// A recording ends by itself after ``maxSeconds``, or when the program ends; ``problem`` says so.
    public final class ProgramVoiceRecorder: VoiceAudioStreamRecorder {
        /// The maximum length, in seconds, of a recording that is kept for ``stop()``.
        public static let maxSeconds = 600

        /// The number of samples per second.
        public let nativeSampleRate = 16_000

        private struct Recording {
            /// Counts recordings: a thread knows by it whether its own is over.
            var number = 0
            var process: Process?
            var samples: [Float] = []
            var amplitude: Float = 0
            var problem: VoiceProblem?
        }

        private let program: AudioProgram
        private let recording = Locked(Recording())

        /// Finds the recording program.
        ///
        /// - Parameter searchPath: folders to search, separated by colons (default: `PATH`).
        /// - Throws: ``VoiceProblem/microphoneUnavailable(_:)`` that says what to install.
        public init(searchPath: String? = nil) throws(VoiceProblem) {
            let searchPath = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
            guard let program = AudioProgram.find(.recording, searchPath: searchPath) else {
                throw .microphoneUnavailable(AudioProgram.advice(.recording))
            }
            self.program = program
        }

        deinit { recording.withLock { $0.process }?.end() }

        /// The program's name.
        public var programName: String { program.name }

        /// The current loudness of the recording, in 0...1.
        public var amplitude: Float { recording.withLock { $0.amplitude } }

        /// The problem that prevented or ended a recording; nil if there is none.
        public var problem: VoiceProblem? { recording.withLock { $0.problem } }

        /// Starts a recording.
        public func start() -> Bool { begin(nil) }

        /// Starts a recording whose samples are passed to a function.
        public func start(onSamples: @escaping @Sendable ([Float]) -> Void) -> Bool { begin(onSamples) }

        private func begin(_ onSamples: (@Sendable ([Float]) -> Void)?) -> Bool {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: program.path)
            process.arguments = program.arguments(sampleRate: nativeSampleRate)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            let old = end()
            old?.end()
            do {
                try process.run()
            } catch {
                recording.withLock {
                    $0.problem = .microphoneUnavailable(
                        "\(program.path) cannot be started: \(error.localizedDescription)")
                }
                return false
            }
            let number = recording.withLock { recording in
                recording.process = process
                recording.samples = []
                recording.problem = nil
                return recording.number
            }
            Thread.detachNewThread { [weak self, name = program.name] in
                Self.read(output.fileHandleForReading) { samples in
                    self?.take(samples, number, onSamples) ?? false
                }
                process.end()
                let text = String(
                    decoding: (try? errors.fileHandleForReading.read(upToCount: 2000)) ?? Data(), as: UTF8.self)
                let line = text.split(separator: "\n").first.map { ": \($0)" } ?? ""
                self?.recording.withLock { recording in
                    guard recording.number == number, recording.problem == nil else { return }
                    recording.problem = .microphoneLost("\(name) ended\(line)")
                    recording.amplitude = 0
                }
            }
            return true
        }

        /// Reads samples until the program ends, or nobody wants more.
        private static func read(_ handle: FileHandle, _ take: ([Float]) -> Bool) {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var kept: [UInt8] = []
            while true {
                let count = Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                kept += buffer[..<count]
                let samples = stride(from: 0, to: kept.count - 1, by: 2).map {
                    Float(Int16(bitPattern: UInt16(kept[$0]) | UInt16(kept[$0 + 1]) << 8)) / 0x1p15
                }
                kept.removeFirst(samples.count * 2)
                guard take(samples) else { return }
            }
        }

        private func take(_ samples: [Float], _ number: Int, _ onSamples: (@Sendable ([Float]) -> Void)?) -> Bool {
            let isWanted = recording.withLock { recording in
                guard recording.number == number else { return false }
                recording.amplitude = VoiceLevel.of(samples)
                guard onSamples == nil else { return true }
                recording.samples += samples
                guard recording.samples.count < Self.maxSeconds * nativeSampleRate else {
                    recording.problem = .microphoneLost("a recording has at most \(Self.maxSeconds) seconds")
                    return false
                }
                return true
            }
            if isWanted { onSamples?(samples) }
            return isWanted
        }

        /// Ends the recording; the program is the caller's to end.
        private func end(_ samples: inout [Float]) -> Process? {
            recording.withLock { recording in
                samples = recording.samples
                recording.samples = []
                recording.amplitude = 0
                recording.problem = nil
                recording.number += 1
                defer { recording.process = nil }
                return recording.process
            }
        }

        private func end() -> Process? {
            var samples: [Float] = []
            return end(&samples)
        }

        /// Ends the recording and returns its samples.
        public func stop() async -> [Float] {
            var samples: [Float] = []
            end(&samples)?.end()
            return samples
        }

        /// Ends the recording and discards it.
        public func cancel() async { end()?.end() }
    }
#endif
