import LeapGGUF
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// The results of Gemma 4's assistants, compared with numpy.
@Suite(.inTurns)
struct AssistantTests {
    /// An assistant beside the model that it reads.
    private struct Running {
        let drafter: AssistantDrafter
        let model: CPUExecutor
        let executor: any DraftStepExecutor
        let tokens: [TokenID]

        init(_ other: AssistantDrafter? = nil) throws {
            drafter = try other ?? AssistantFixture.drafter()
            tokens = try Fixture.load(AssistantFixture.target).tokens
            let target = try Fixture.model(AssistantFixture.target)
            try drafter.validate(for: target)
            let device = try CPUDevice(threads: 2)
            let made = device.makeExecutor(
                for: target, keyValueType: .f32, contextSize: 256, memory: MemoryPool())
            model = try #require(made as? CPUExecutor)
            executor = try device.makeAssistantExecutor(
                for: drafter, target: target, keyValueType: .f32, contextSize: 256, memory: MemoryPool())
        }

        /// The results of steps that nothing stops.
        func run(_ steps: [DraftStep]) throws -> [DraftOutput] {
            let outputs = try executor.run(steps, shouldContinue: { true })
            return try #require(outputs)
        }

        /// A sequence of so many tokens, computed in pieces, and the model's vector at the last of them.
        func sequence(_ count: Int, pieces: [Int]) throws -> (state: SequenceState, vector: [Float]) {
            let state = model.makeSequence(limit: 256)
            var vector: [Float] = []
            model.keepsVectors = true
            for piece in pieces + [count] where state.count < count {
                let end = min(state.count + piece, count)
                _ = try model.run([BatchSegment(sequence: state, tokens: tokens[state.count..<end], wanted: .last)])
                vector = Array(try #require(model.keptVectors).values)
            }
            return (state, vector)
        }
    }

    private static func difference(_ a: [Float], _ b: [Float]) -> Float {
        a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test("Logits and vectors of steps are numpy's within 1e-3, of several sequences together, which stay as they are")
    func reference() throws {
        let running = try Running()
        let cases = try AssistantFixture.load().cases
        for pieces in [[], [1, 2, 40, 20]] {
            let sequences = try cases.map { try running.sequence($0.context, pieces: pieces) }
            for (given, sequence) in zip(cases, sequences) {
                #expect(Self.difference(sequence.vector, given.vector) <= 5e-4)
                #expect(running.tokens[given.context] == given.token)
            }
            var steps = zip(cases, sequences).map {
                DraftStep(sequence: $1.state, token: $0.token, hidden: $1.vector)
            }
            var logits = [[Float]](repeating: [], count: cases.count)
            for place in 0..<3 {
                let outputs = try running.run(steps)
                for (index, output) in outputs.enumerated() {
                    let row = output.logits.values
                    let vector = try #require(output.hidden)
                    logits[index] += row
                    #expect(argmax(row) == cases[index].chain[place])
                    if place == 0 { #expect(Self.difference(vector, cases[index].next) <= 5e-4) }
                    steps[index] = DraftStep(
                        sequence: sequences[index].state, token: argmax(row), offset: place + 1, hidden: vector)
                }
            }
            for index in cases.indices { #expect(Self.difference(logits[index], cases[index].logits) <= 1e-3) }
            #expect(sequences.map(\.state.count) == cases.map(\.context))
        }
    }

    @Test("A step has the same bits alone and beside others")
    func together() throws {
        let running = try Running()
        let steps = try AssistantFixture.load().cases.map { given in
            let sequence = try running.sequence(given.context, pieces: [])
            return DraftStep(sequence: sequence.state, token: given.token, hidden: sequence.vector)
        }
        let all = try running.run(steps).map { Array($0.logits.values) }
        let alone = try steps.flatMap { try running.run([$0]).map { Array($0.logits.values) } }
        #expect(all == alone && all.count == steps.count)
        let stopped = try running.executor.run(steps, shouldContinue: { false })
        #expect(stopped == nil)
    }

    @Test("A drafter whose window is one position sees the latest")
    func smallestWindow() throws {
        let drafter = try AssistantFixture.changed(
            metadata: { $0["gemma4-assistant.attention.sliding_window"] = .uint32(1) })
        let running = try Running(drafter)
        let sequence = try running.sequence(1, pieces: [])
        let outputs = try running.run([
            DraftStep(sequence: sequence.state, token: running.tokens[1], hidden: sequence.vector)
        ])
        #expect(outputs.count == 1 && outputs[0].logits.values.allSatisfy(\.isFinite))
    }

    @Test("Vectors are kept of positions with logits only, and only where it is asked for")
    func keptVectors() throws {
        let running = try Running()
        let state = running.model.makeSequence(limit: 256)
        _ = try running.model.run([BatchSegment(sequence: state, tokens: running.tokens[..<5], wanted: .last)])
        #expect(running.model.keptVectors == nil)
        running.model.keepsVectors = true
        _ = try running.model.run([BatchSegment(sequence: state, tokens: running.tokens[5..<9], wanted: .none)])
        #expect(running.model.keptVectors == nil)
        _ = try running.model.run([BatchSegment(sequence: state, tokens: running.tokens[9..<12], wanted: .suffix(2))])
        #expect(running.model.keptVectors?.count == 2)
    }

    @Test("Layers with a window read the model's last layer with one, the others its last without, of those with keys")
    func sources() throws {
        let drafter = try AssistantFixture.drafter()
        let target = try Fixture.model(AssistantFixture.target)
        let blocks = try drafter.stack(beside: target).layers.compactMap { $0.mixer?.attention }
        #expect(blocks.map(\.cacheIndex) == [2, 2, 3] && blocks.map(\.window) == [16, 16, 0])
        #expect(blocks.allSatisfy { $0.key == nil && $0.readsBehind } && drafter.readLayerCount(of: target) == 4)
    }

    @Test("The head of clusters is told to be unused; a step costs the weights besides it")
    func description() throws {
        let drafter = try AssistantFixture.drafter()
        #expect(drafter.notes.count == 1 && drafter.notes.first?.contains("masked_embd_centroids") == true)
        #expect(try AssistantFixture.changed(tensor: { $0.name.hasPrefix("masked") ? .drop : .keep }).notes == [])
        let cost = drafter.cost(beside: try Fixture.model(AssistantFixture.target))
        #expect(cost > 0.05 && cost < 0.5)
    }
}
