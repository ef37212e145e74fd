import Foundation
import LeapBase
import LeapCPU
import LeapCompute
import LeapDevices
import LeapModel
import LeapTestSupport
import Testing

@testable import LeapGPU

extension GPUTests {
    /// Audio decoders whose layers a GPU computes.
    struct SpeechSplitTests {
        /// A decoder whose file is mapped and gone.
        private static let decoder = Result {
            let path = FileManager.default.temporaryDirectory.appending(path: "vocoder-\(UUID().uuidString).gguf").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try MadeVocoder().write(to: path)
            return try SpeechDecoder.load(path: path)
        }

        /// An audio decoder, and what a log and the statistics tell of it.
        private struct Speaker {
            let decoder: SpeechDecoder
            let executor: any SpeechExecutor
            let device: SplitDevice?
            let report = DeviceReport()
            let notices = Locked<[String]>([])

            /// One that the processor runs.
            init() throws {
                decoder = try SpeechSplitTests.decoder.get()
                executor = try CPUDevice(threads: 1).makeSpeechExecutor(for: decoder, memory: MemoryPool())
                device = nil
            }

            /// One whose layers a GPU computes.
            init(
                generations: Int,
                open: @escaping () throws(GPUError) -> any GPUDevice = { () throws(GPUError) in try TestGPU.shared() }
            ) throws {
                decoder = try SpeechSplitTests.decoder.get()
                let device = SplitDevice(
                    try CPUDevice(threads: 1), model: try SplitRunner.fixture("lfm2"), layerCount: 0,
                    speech: SplitDevice.Speech(generationCount: generations, report: report), open: open,
                    onNotice: { [notices] notice in notices.withLock { $0.append(notice) } })
                executor = try device.makeSpeechExecutor(for: decoder, memory: MemoryPool())
                self.device = device
            }

            /// The language model's vector in front of a frame.
            func vector(_ seed: UInt64) -> [Float] {
                var random = SeededGenerator(seed: seed)
                return random.floats(decoder.inputLength)
            }

            /// Frames with the likeliest codes, and the logits of all of them; the end is no code.
            func frames(_ vectors: [Float]) throws -> (frames: [SpeechFrame?], logits: [[Float]]) {
                var logits = [[Float]](repeating: [], count: vectors.count / decoder.inputLength)
                let frames = try executor.frames(vectors) { generation, _, values in
                    logits[generation] += values
                    return values.indices.dropLast().max { values[$0] < values[$1] }
                }
                return (frames, logits)
            }

            /// The frames and the spectra of a short speech.
            func speech(frames count: Int) throws -> (frames: [SpeechFrame], spectra: [Float]) {
                let state = executor.makeAudioState()
                var (frames, spectra): ([SpeechFrame], [Float]) = ([], [])
                for index in 0..<count {
                    let frame = try #require(try self.frames(vector(UInt64(index))).frames[0])
                    frames.append(frame)
                    spectra += try executor.spectra([(state, frame)])[0]
                }
                return (frames, spectra)
            }
        }

        private static func difference(_ one: [Float], _ other: [Float]) -> Float {
            one.count == other.count ? zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
        }

        @Test("Codes, their logits and spectra are the processor's, and the report tells what computed them")
        func parity() throws {
            let (cpu, gpu) = (try Speaker(), try Speaker(generations: 3))
            let device = try #require(gpu.device), seeds = TestGPU.isBrief ? 1 : 3
            let count = TestGPU.isBrief ? 1 : TestGPU.isEmulated ? 2 : 12
            let all = gpu.decoder.depth.stack.layers.count + gpu.decoder.codes.stack.layers.count
            var use = gpu.report.use
            #expect(use.layers == all && use.modelLayers == all && use.note == nil && !use.computesHead)
            #expect(gpu.notices.withLock { $0 }.count == 1)
            for seed in 0..<seeds {
                let (expected, own) = (
                    try cpu.frames(cpu.vector(UInt64(seed))), try gpu.frames(gpu.vector(UInt64(seed)))
                )
                #expect(own.frames == expected.frames)
                #expect(Self.difference(own.logits[0], expected.logits[0]) < 1e-3 && own.logits != expected.logits)
            }
            let (expected, own) = (try cpu.speech(frames: count), try gpu.speech(frames: count))
            #expect(own.frames == expected.frames)
            #expect(Self.difference(own.spectra, expected.spectra) < 1e-3 && own.spectra != expected.spectra)
            use = gpu.report.use
            #expect(
                use.processorPasses == 0 && use.passes == (seeds + count) * SpeechForm.lfm2Audio.codebookCount + count)
            #expect(
                use.device == device.speechPasses.depth?.deviceName && device.speechPasses.codes?.batchCount == count
                    && use.failure == nil)
        }

        @Test(
            "Alone or beside others, at any length, the bits are the same",
            .enabled(if: !TestGPU.isBrief, TestGPU.brevity))
        func together() throws {
            let gpu = try Speaker(generations: 3), length = TestGPU.isEmulated ? 12 : 40
            let vectors = (0..<3).map { gpu.vector($0) }
            let alone = try vectors.map { try gpu.frames($0) }
            let all = try gpu.frames(Array(vectors.joined()))
            #expect(all.frames == alone.map { $0.frames[0] } && all.logits == alone.map { $0.logits[0] })
            let frames = try alone.map { try #require($0.frames[0]) }
            // Behind the first pages; the others begin later, so that their pages are fewer.
            let (single, first, second) = (
                gpu.executor.makeAudioState(), gpu.executor.makeAudioState(), gpu.executor.makeAudioState()
            )
            for index in 0..<length {
                let frame = frames[index % 3], own = try gpu.executor.spectra([(single, frame)])[0]
                guard index % 2 == 0 || index > length / 2 else {
                    #expect(try gpu.executor.spectra([(first, frame)]) == [own])
                    continue
                }
                let both = try gpu.executor.spectra([(first, frame), (second, frames[(index + 1) % 3])])
                #expect(both[0] == own, "frame \(index)")
            }
            #expect(gpu.report.use.processorPasses == 0 && gpu.report.use.passes > 2 * length)
        }

        @Test("At whatever call a device fails, from its opening to the last spectrum, the speech is the processor's")
        func everyCall() throws {
            let real = try TestGPU.open(), compiled = CompiledKernels(), count = TestGPU.isBrief ? 1 : 2
            func speaker(_ device: FaultyDevice) throws -> Speaker {
                try Speaker(generations: 3, open: { () throws(GPUError) in device })
            }
            let expected = try Speaker().speech(frames: count)
            let sound = FaultyDevice(real, compiled: compiled), whole = try speaker(sound)
            let loadCount = sound.callCount
            #expect(try whole.speech(frames: count).frames == expected.frames)
            let total = sound.callCount
            print("calls while an audio decoder is loaded: \(loadCount), and in \(count) frames: \(total - loadCount)")
            let errors: [GPUError] = [
                .lost, .outOfMemory(byteCount: 1), .driver(operation: "a call", result: -13), .invalid("a call"),
                .timedOut(seconds: 1),
            ]
            let steps = TestGPU.isBrief ? 2 : TestGPU.isEmulated ? 6 : 24
            let calls =
                (0..<steps).map { $0 * (loadCount - 1) / steps }
                + (0..<steps).map { loadCount + $0 * (total - loadCount - 1) / (steps - 1) }
            for (index, call) in calls.enumerated() {
                let device = FaultyDevice(real, compiled: compiled)
                device.fault = (call, errors[index % errors.count])
                let speaker = try speaker(device), speech = try speaker.speech(frames: count)
                #expect(speech.frames == expected.frames, "call \(call)")
                #expect(Self.difference(speech.spectra, expected.spectra) < 1e-3, "call \(call)")
                let (use, notices) = (speaker.report.use, speaker.notices.withLock { $0 })
                // Where memory for pages was refused, it was asked for in another way.
                if call >= loadCount, use.failure != nil || !device.refusedMemory {
                    #expect(use.failure != nil && use.layers == 0 && use.device != nil, "call \(call)")
                    #expect(use.passes + use.processorPasses == count * (SpeechForm.lfm2Audio.codebookCount + 1))
                    #expect(
                        notices.count == 2 && notices[1].contains("runs the audio decoder from here on"), "\(notices)")
                } else if use.device == nil {
                    #expect(use.note != nil && use.failure == nil && notices.count == 1, "call \(call): \(notices)")
                    #expect(speech.spectra == expected.spectra)
                } else {
                    // Memory that a driver does not take is copied.
                    #expect(use.processorPasses == 0 && notices.count == 1)
                }
            }
        }

        @Test("A device that is lost to the language model is lost to the audio decoder too, and each says so once")
        func lost() throws {
            let device = FaultyDevice(try TestGPU.open()), notices = Locked<[String]>([])
            let model = try SplitRunner.fixture("lfm2"), decoder = try Self.decoder.get()
            let (report, speech) = (DeviceReport(), SplitDevice.Speech(generationCount: 1))
            let split = SplitDevice(
                try CPUDevice(threads: 1), model: model, layerCount: .max, report: report, speech: speech,
                open: { () throws(GPUError) in device },
                onNotice: { notice in notices.withLock { $0.append(notice) } })
            let executor = try split.makeExecutor(
                for: model, keyValueType: .f32, contextSize: 128, memory: MemoryPool())
            let speaker = try split.makeSpeechExecutor(for: decoder, memory: MemoryPool())
            #expect(report.use.layers > 0 && speech.report.use.layers > 0 && notices.withLock { $0.count } == 2)
            let state = speaker.makeAudioState(), frame = try #require(SpeechFrame(codes: [1, 2, 3, 4, 5, 6, 7, 8]))
            let before = try speaker.spectra([(state, frame)])[0]
            #expect(speech.report.use.passes == 1)
            device.fault = (device.callCount + 2, .lost)
            let segment = BatchSegment(
                sequence: executor.makeSequence(limit: 128), tokens: SplitRunner.tokens(model, count: 5)[...],
                wanted: .last)
            #expect(try executor.run([segment], shouldContinue: { true }) != nil)
            #expect(report.use.failure == "\(GPUError.lost)")
            let cpu = try Speaker(), other = cpu.executor.makeAudioState()
            #expect(Self.difference(try cpu.executor.spectra([(other, frame)])[0], before) < 1e-3)
            // It goes on in the pages that the device wrote.
            for _ in 0..<2 {
                let (own, expected) = (
                    try speaker.spectra([(state, frame)]), try cpu.executor.spectra([(other, frame)])
                )
                #expect(Self.difference(own[0], expected[0]) < 1e-3)
            }
            let use = speech.report.use
            #expect(use.failure == "\(GPUError.lost)" && use.layers == 0 && use.passes == 1 && use.processorPasses == 2)
            #expect(notices.withLock { $0.count } == 4)
        }

        @Test("A device that leaves out a kernel is found out when the audio decoder is loaded")
        func lies() throws {
            let real = try TestGPU.open(), compiled = CompiledKernels()
            func speaker(without entry: String?) throws -> Speaker {
                let device = FaultyDevice(real, compiled: compiled)
                device.ignored = entry
                return try Speaker(generations: 3, open: { () throws(GPUError) in device })
            }
            #expect(try speaker(without: nil).report.use.layers > 0)
            let expected = try Speaker(generations: 3).speech(frames: 2)
            for entry in Set(compiled.pipelines.keys.map(\.entry)).sorted().prefix(
                TestGPU.isBrief ? 1 : TestGPU.isEmulated ? 2 : .max)
            {
                let speaker = try speaker(without: entry)
                if speaker.report.use.layers == 0 {
                    #expect(speaker.device?.speechPasses.depth == nil, "\(entry)")
                } else {
                    // Other kernels stand in for it.
                    let speech = try speaker.speech(frames: 2)
                    #expect(speech.frames == expected.frames, "\(entry)")
                    #expect(Self.difference(speech.spectra, expected.spectra) < 1e-3, "\(entry)")
                }
                #expect(speaker.notices.withLock { $0 }.first?.contains("wrong results") == true, "\(entry)")
            }
        }
    }
}
