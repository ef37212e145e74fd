import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The outputs of the model's layers that drafters are given.
@Suite(.inTurns)
struct AbsorbedStreamsTests {
    /// The processor, whose drafters take down what they are given.
    private final class RecordingDevice: Device {
        let cpu: CPUDevice
        /// The streams that each sequence was given, `[positions][layers · width]`, with its tokens.
        var given: [ObjectIdentifier: (tokens: [TokenID], streams: [Float])] = [:]

        init() throws { cpu = try CPUDevice(threads: 1) }

        func makeExecutor(
            for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
        ) throws(EngineError) -> any Executor {
            cpu.makeExecutor(for: model, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
        }

        func makeDraftExecutor(
            for drafter: BlockDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
        ) throws(EngineError) -> any BlockDraftExecutor {
            let executor = try cpu.makeDraftExecutor(
                for: drafter, target: target, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
            return Recorder(executor) { self.record($0, $1) }
        }

        func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass {
            try cpu.makePass(for: encoder, memory: memory)
        }

        func makeSpeechExecutor(for decoder: SpeechDecoder, memory: MemoryPool) -> any SpeechExecutor {
            cpu.makeSpeechExecutor(for: decoder, memory: memory)
        }

        private func record(_ segments: [BatchSegment], _ streams: [Rows]) {
            for (segment, rows) in zip(segments, streams) {
                guard case .tokens(let tokens, _) = segment.inputs else { continue }
                // A position that was refused is given again: the later one counts.
                let start = segment.sequence.count
                var (known, values) = given[ObjectIdentifier(segment.sequence)] ?? ([], [])
                known.removeLast(max(0, known.count - start))
                values.removeLast(values.count - known.count * rows.length)
                given[ObjectIdentifier(segment.sequence)] = (known + tokens, values + rows.values)
            }
        }
    }

    private final class Recorder: BlockDraftExecutor {
        private let executor: any BlockDraftExecutor
        private let record: ([BatchSegment], [Rows]) -> Void

        init(_ executor: any BlockDraftExecutor, record: @escaping ([BatchSegment], [Rows]) -> Void) {
            self.executor = executor
            self.record = record
        }

        var memory: any StateMemory { executor.memory }
        func makeSequence(limit: Int) -> SequenceState { executor.makeSequence(limit: limit) }
        func absorb(_ segments: [BatchSegment], streams: [Rows]) throws(EngineError) {
            record(segments, streams)
            try executor.absorb(segments, streams: streams)
        }
        func logits(of blocks: [DraftBlock], shouldContinue: () -> Bool) throws(EngineError) -> [Rows]? {
            try executor.logits(of: blocks, shouldContinue: shouldContinue)
        }
        func addTransitions(_ rows: [(previous: TokenID, logits: Rows)]) throws(EngineError) {
            try executor.addTransitions(rows)
        }
    }

    @Test(
        "Each sequence is given its own rows of a step, beside prompts and outputs of others with and without proposals"
    )
    func rows() throws {
        let model = try Fixture.model("lfm2")
        let drafter = try DrafterFixture.drafter("dspark")
        func request(_ index: Int) -> GenerationRequest {
            SpeculationTests.request(index == 1 ? .off : .draft) {
                $0.prompt = SpeculationTests.prompt(70 + 9 * index, period: 11 + index)
                $0.maxTokens = 24
            }
        }
        /// Returns the streams that are given of prompts and outputs which are computed together, by their index.
        func given(_ indices: [Int]) throws -> [Int: (tokens: [TokenID], streams: [Float])] {
            let device = try RecordingDevice()
            let engine = try SteppedEngine(model, draft: drafter, device: device) {
                $0.draftCost = 0.02
                $0.prefillChunk = 32
            }
            var running: [Int: SteppedEngine.Running] = [:]
            for index in indices {
                running[index] = engine.start(request(index))
                // Prompts of some lie beside outputs of others.
                for _ in 0..<3 { engine.core.step { false } }
            }
            engine.runToEnd()
            var result: [Int: (tokens: [TokenID], streams: [Float])] = [:]
            for (index, running) in running {
                #expect(running.tokens.count == 24)
                guard let draft = engine.core.sessions[running.session.id]?.draft else { continue }
                var (tokens, streams) = try #require(device.given[ObjectIdentifier(draft.state)])
                // Behind the output may lie proposals that were refused.
                let width = streams.count / tokens.count
                tokens.removeLast(tokens.count - draft.state.count)
                streams.removeLast(streams.count - tokens.count * width)
                #expect(tokens == Array((request(index).prompt + running.tokens).prefix(tokens.count)))
                result[index] = (tokens, streams)
            }
            return result
        }
        let together = try given([0, 1, 2, 3])
        #expect(together.keys.sorted() == [0, 2, 3])
        for (index, found) in together {
            let alone = try #require(try given([index])[index])
            let count = min(found.tokens.count, alone.tokens.count)
            #expect(count > 70 + 9 * index + 20 && found.tokens.prefix(count) == alone.tokens.prefix(count))
            let length = alone.streams.count / alone.tokens.count * count
            #expect(found.streams.prefix(length) == alone.streams.prefix(length), "\(index)")
            #expect(Set(alone.streams).count > length / 2)
        }
    }
}
