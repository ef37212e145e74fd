#if os(Linux)
    import Foundation
    import LeapTestSupport
    import LeapUi
    import LeapUiTesting
    import Testing

    /// The devices of Linux, with scripts in the place of PipeWire's and ALSA's programs.
    @Suite(.timeLimit(.minutes(30)))
    struct ProgramDeviceTests {
        /// A folder for scripts, which have the system's programs too.
        final class Folder {
            let url: URL

            init(_ scripts: [String: String]) throws {
                url = FileManager.default.temporaryDirectory.appendingPathComponent("leap-sound-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
                for (name, script) in scripts { try ShellScript.write(script, named: name, in: url) }
            }

            deinit { try? FileManager.default.removeItem(at: url) }

            func bytes(_ name: String) -> Data {
                (try? Data(contentsOf: url.appendingPathComponent(name))) ?? Data()
            }

            /// The program that has written its number; nil while there is none.
            var program: Int32? {
                Int32(String(decoding: bytes("pid"), as: UTF8.self).trimmingCharacters(in: .newlines))
            }

            /// True if that program has ended.
            var hasEnded: Bool { program.map { Self.hasEnded($0) } ?? false }

            /// Returns whether a program has ended, be it that its parent has not noticed yet.
            static func hasEnded(_ program: Int32) -> Bool {
                guard let status = try? String(contentsOfFile: "/proc/\(program)/stat", encoding: .utf8) else {
                    return true
                }
                return status.split(separator: ")").last?.hasPrefix(" Z") == true
            }

            func until(
                _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                for _ in 0..<12_000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
                #expect(condition(), sourceLocation: sourceLocation)
            }
        }

        @Test("Where no program is installed, the error says what to install")
        func none() throws {
            let folder = try Folder(["pw-record": "echo no such option", "pw-play": "echo no such option"])
            // Programs of PipeWire that take no raw samples do not count.
            #expect(throws: VoiceProblem.self) { try ProgramVoiceRecorder(searchPath: folder.url.path) }
            #expect(throws: VoiceProblem.self) { try ProgramVoicePlayer(searchPath: folder.url.path) }
            do {
                _ = try ProgramVoiceRecorder(searchPath: folder.url.path)
            } catch {
                #expect(error.localizedDescription.contains("install pipewire-bin (1.2 or later) or alsa-utils"))
            }
        }

        @Test("PipeWire's programs come before ALSA's where they take raw samples; each gets its own arguments")
        func choice() async throws {
            let record = "echo \"$@\" > arguments; exec sleep 3600"
            let folder = try Folder([
                "pw-record": "[ \"$1\" = --help ] && echo '  -a, --raw' && exit; \(record)", "arecord": record,
            ])
            let recorder = try ProgramVoiceRecorder(searchPath: folder.url.path)
            #expect(recorder.programName == "pw-record")
            #expect(recorder.start())
            try await folder.until { folder.bytes("arguments").count > 20 }
            #expect(
                String(decoding: folder.bytes("arguments"), as: UTF8.self)
                    == "--raw --rate 16000 --channels 1 --format s16 -\n")
            await recorder.cancel()
            let alsa = try Folder(["arecord": record])
            let other = try ProgramVoiceRecorder(searchPath: alsa.url.path)
            #expect(other.programName == "arecord" && other.start())
            try await alsa.until { alsa.bytes("arguments").count > 20 }
            #expect(String(decoding: alsa.bytes("arguments"), as: UTF8.self) == "-q -t raw -f S16_LE -r 16000 -c 1\n")
            await other.cancel()
        }

        @Test("What the program writes is the recording, and it ends with it")
        func records() async throws {
            // Samples 0x4000 and 0x2000, in odd pieces.
            let folder = try Folder([
                "arecord": "echo $$ > pid; printf '\\000\\100\\000'; sleep 0.1; printf '\\040'; exec sleep 3600"
            ])
            let recorder = try ProgramVoiceRecorder(searchPath: folder.url.path)
            #expect(recorder.start() && recorder.problem == nil)
            try await folder.until { recorder.amplitude == VoiceLevel.of([0.25]) }
            #expect(await recorder.stop() == [0.5, 0.25])
            #expect(recorder.problem == nil && recorder.amplitude == 0)
            try await folder.until { folder.hasEnded }
            #expect(await recorder.stop().isEmpty)
        }

        /// A microphone that is never silent and ends for no polite reason.
        private static let stubborn =
            "trap '' TERM PIPE; echo $$ > pid; while :; do printf '\\000\\100\\000\\300' 2> /dev/null; sleep 0.02; done"

        @Test(
            "A recorder that is released, or begins again, without being stopped leaves no program behind",
            arguments: [true, false])
        func released(streams: Bool) async throws {
            let folder = try Folder(["arecord": Self.stubborn])
            var recorder: ProgramVoiceRecorder? = try ProgramVoiceRecorder(searchPath: folder.url.path)
            func begin() -> Bool? { streams ? recorder?.start { _ in } : recorder?.start() }
            #expect(begin() == true)
            try await folder.until { folder.program != nil && (recorder?.amplitude ?? 0) > 0 }
            let first = try #require(folder.program)
            #expect(begin() == true)
            try await folder.until { folder.program != nil && folder.program != first }
            try await folder.until { Folder.hasEnded(first) }
            #expect(!folder.hasEnded)
            recorder = nil
            try await folder.until { folder.hasEnded }
        }

        @Test(
            "A store that is closed or released ends its programs, and its states",
            arguments: [true, false])
        func stores(closes: Bool) async throws {
            let folder = try Folder(["arecord": Self.stubborn])
            var store: VoiceAssistantStore? = VoiceAssistantStore(
                recorder: try ProgramVoiceRecorder(searchPath: folder.url.path),
                player: FakeVoicePlayer(clock: ManualClock()))
            store?.setConversation(conv: FakeVoiceConversation())
            store?.processIntent(intent: .setHandsFree(true))
            try await folder.until { folder.program != nil && (store?.state.value.amplitude ?? 0) > 0 }
            #expect(!folder.hasEnded)
            let states = try #require(store?.state)
            if closes { store?.close() } else { store = nil }
            for await _ in states {}
            // The system takes a moment for what was killed.
            try await folder.until { folder.hasEnded }
        }

        @Test("Samples go to whoever listens as they come, and a program that dies is told with what it said")
        func dies() async throws {
            let folder = try Folder(["arecord": "printf '\\000\\100'; sleep 0.1; echo 'no such device' >&2; exit 1"])
            let recorder = try ProgramVoiceRecorder(searchPath: folder.url.path)
            let (stream, heard) = AsyncStream.makeStream(of: [Float].self)
            #expect(recorder.start { heard.yield($0) })
            for await samples in stream {
                #expect(samples == [0.5])
                break
            }
            try await folder.until { recorder.problem != nil }
            #expect(recorder.problem == .microphoneLost("arecord ended: no such device"))
            await recorder.cancel()
            #expect(recorder.problem == nil)
        }

        @Test("What is played arrives at the program whole, and waiting is over when it has ended")
        func plays() async throws {
            let folder = try Folder(["aplay": "echo \"$@\" >> arguments; cat >> sound"])
            let player = try ProgramVoicePlayer(searchPath: folder.url.path)
            player.enqueue(samples: [Float](repeating: 0.5, count: 30_000), sampleRate: 24_000)
            player.enqueue(samples: [2, -2, .nan], sampleRate: 24_000)
            await player.waitForPlayback()
            let bytes = [UInt8](folder.bytes("sound"))
            #expect(bytes.count == 60_006)
            #expect(Array(bytes.suffix(6)) == [0xFF, 0x7F, 0x01, 0x80, 0, 0])
            player.enqueue(samples: [0], sampleRate: 24_000)
            player.enqueue(samples: [0], sampleRate: 16_000)
            await player.waitForPlayback()
            #expect(folder.bytes("sound").count == 60_010)
            let lines = String(decoding: folder.bytes("arguments"), as: UTF8.self).split(separator: "\n")
            #expect(lines.map { $0.contains("-r 16000") } == [false, false, true])
            #expect(player.problem == nil)
        }

        @Test("Ducked, samples are a fifth as large")
        func ducks() async throws {
            let folder = try Folder(["aplay": "cat > sound"])
            let player = try ProgramVoicePlayer(searchPath: folder.url.path)
            player.duck(true)
            player.enqueue(samples: [1], sampleRate: 16_000)
            player.duck(false)
            player.enqueue(samples: [1], sampleRate: 16_000)
            await player.waitForPlayback()
            #expect([UInt8](folder.bytes("sound")) == [0x99, 0x19, 0xFF, 0x7F])
        }

        @Test("A program that never reads holds up nobody who stops it; one that dies is told")
        func blocks() async throws {
            let folder = try Folder(["aplay": "exec sleep 3600"])
            let player = try ProgramVoicePlayer(searchPath: folder.url.path)
            // On a thread of its own: enqueue waits for the program, and a task that waits takes one of few threads
            // from all others.
            let enqueuing = DispatchQueue(label: "enqueuing")
            enqueuing.async {
                player.enqueue(samples: [Float](repeating: 0.5, count: 1_000_000), sampleRate: 16_000)
            }
            try await folder.until { player.amplitude > 0 }
            player.stop()
            await withCheckedContinuation { continuation in enqueuing.async { continuation.resume() } }
            await player.waitForPlayback()
            #expect(player.amplitude == 0 && player.problem == nil)
            let dying = try Folder(["aplay": "echo 'device busy' >&2; exit 1"])
            let other = try ProgramVoicePlayer(searchPath: dying.url.path)
            other.enqueue(samples: [Float](repeating: 0.5, count: 1_000_000), sampleRate: 16_000)
            await other.waitForPlayback()
            #expect(other.problem == .playerUnavailable("aplay ended before the sound did: device busy"))
        }
    }
#endif
