#if os(Linux)
    import Foundation
    import LeapBase

    /// The loudspeaker of a Linux desktop, through `pw-play` (PipeWire) or `aplay` (ALSA).
    public final class ProgramVoicePlayer: VoiceAudioPlayer {
        private struct Present {
            var playback: ProgramPlayback?
            var isDucked = false
            var problem: VoiceProblem?
        }

        private let program: AudioProgram
        private let present = Locked(Present())

        /// Finds the playback program.
        ///
        /// - Parameter searchPath: folders to search, separated by colons (default: `PATH`).
        /// - Throws: ``VoiceProblem/playerUnavailable(_:)`` that says what to install.
        public init(searchPath: String? = nil) throws(VoiceProblem) {
            let searchPath = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
            guard let program = AudioProgram.find(.playing, searchPath: searchPath) else {
                throw .playerUnavailable(AudioProgram.advice(.playing))
            }
            self.program = program
        }

        deinit { present.withLock { $0.playback }?.kill() }

        /// The program's name.
        public var programName: String { program.name }

        /// The current loudness of the playback, in 0...1.
        public var amplitude: Float { present.withLock { $0.playback }?.amplitude ?? 0 }

        /// The problem that prevented playback of the latest sound; nil if there is none.
        public var problem: VoiceProblem? { present.withLock { $0.problem } }

        /// Plays samples after those already queued; blocks while the program's buffer is full.
        public func enqueue(samples: [Float], sampleRate: Int) {
            let rate = min(max(sampleRate, 1), 768_000)
            let old = present.withLock { $0.playback }
            var playback = old
            if let old, old.sampleRate != rate {
                // One after the other, as two programs would be heard at the same time.
                old.finish()
                while old.isRunning { Thread.sleep(forTimeInterval: 0.01) }
                playback = nil
            }
            if playback == nil {
                do {
                    let new = try ProgramPlayback(program, sampleRate: rate)
                    present.withLock {
                        $0.playback = new
                        $0.problem = nil
                    }
                    playback = new
                } catch {
                    present.withLock {
                        $0.problem = .playerUnavailable(
                            "\(program.path) cannot be started: \(error.localizedDescription)")
                    }
                    return
                }
            }
            guard let playback else { return }
            let pieceLength = max(1, rate / 50)
            for start in stride(from: 0, to: samples.count, by: pieceLength) {
                let gain: Float = present.withLock { $0.isDucked } ? 0.2 : 1
                let piece = samples[start..<min(samples.count, start + pieceLength)].map { $0 * gain }
                guard playback.write(piece) else {
                    if !playback.isKilled { fail(playback) }
                    return
                }
            }
        }

        private func fail(_ playback: ProgramPlayback) {
            // What the program said can be read once.
            guard problem == nil else { return }
            let line = playback.errorLine
            present.withLock { present in
                guard present.playback === playback, present.problem == nil else { return }
                present.problem = .playerUnavailable("\(program.name) ended before the sound did\(line)")
            }
        }

        /// Returns when playback has finished, or ``stop()`` was called.
        public func waitForPlayback() async {
            guard let playback = present.withLock({ $0.playback }) else { return }
            playback.finish()
            while playback.isRunning, !playback.isKilled { try? await Task.sleep(for: .milliseconds(10)) }
            if !playback.isKilled, playback.status != 0 { fail(playback) }
            present.withLock { if $0.playback === playback { $0.playback = nil } }
        }

        /// Stops the sound at once.
        public func stop() {
            let playback = present.withLock { present in
                defer { present.playback = nil }
                return present.playback
            }
            playback?.kill()
        }

        /// Reduces playback to a fifth of the amplitude, or restores it.
        public func duck(_ isDucked: Bool) { present.withLock { $0.isDucked = isDucked } }
    }

    /// One run of a program that plays.
    final class ProgramPlayback: Sendable {
        let sampleRate: Int
        private let process: Locked<Process>
        private let socket: Int32
        private let errors: Pipe
        private let level = Locked<Float>(0)
        private let end = OneWaySwitch()

        init(_ program: AudioProgram, sampleRate: Int) throws {
            self.sampleRate = sampleRate
            // Not a pipe: writing to one that nobody reads any more ends this process.
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            // What is on its way cannot be made quieter any more.
            var size: Int32 = 4096
            setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            socket = ends[0]
            let process = Process()
            let errors = Pipe()
            self.errors = errors
            process.executableURL = URL(fileURLWithPath: program.path)
            process.arguments = program.arguments(sampleRate: sampleRate)
            process.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            self.process = Locked(process)
            try process.run()
        }

        deinit { close(socket) }

        var isRunning: Bool { process.withLock { $0.isRunning } }
        var isKilled: Bool { end.isSet }
        var status: Int32 { process.withLock { $0.isRunning ? 0 : $0.terminationStatus } }
        var amplitude: Float { isRunning && !isKilled ? level.withLock { $0 } : 0 }

        /// The text that the program wrote to standard error, for a message; it has a second to end.
        var errorLine: String {
            for _ in 0..<100 where isRunning { Thread.sleep(forTimeInterval: 0.01) }
            guard !isRunning, let data = try? errors.fileHandleForReading.read(upToCount: 2000) else { return "" }
            let text = String(decoding: data, as: UTF8.self)
            return text.split(separator: "\n").first.map { ": \($0)" } ?? ""
        }

        /// Writes samples; false where the program takes no more.
        func write(_ samples: [Float]) -> Bool {
            level.withLock { $0 = VoiceLevel.of(samples) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(samples.count * 2)
            for sample in samples {
                let value = Int16((min(max(sample.isFinite ? sample : 0, -1), 1) * 32_767).rounded())
                bytes.append(UInt8(truncatingIfNeeded: value))
                bytes.append(UInt8(truncatingIfNeeded: value >> 8))
            }
            var start = 0
            while start < bytes.count {
                guard !isKilled else { return false }
                let count = bytes[start...].withUnsafeBytes {
                    send(socket, $0.baseAddress, $0.count, Int32(Int(MSG_NOSIGNAL) | Int(MSG_DONTWAIT)))
                }
                if count > 0 {
                    start += count
                } else if count < 0, errno == EAGAIN || errno == EINTR {
                    var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&wait, 1, 50)
                    // The other end is closed where the program has ended.
                    if !isRunning { return false }
                } else {
                    return false
                }
            }
            return true
        }

        /// No more samples come.
        func finish() {
            level.withLock { $0 = 0 }
            shutdown(socket, Int32(SHUT_WR))
        }

        /// Ends the program at once.
        func kill() {
            end.set()
            process.withLock { process in
                if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
            }
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }
#endif
