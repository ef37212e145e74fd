import LeapGGUF
import LeapMeasurement
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// LoRA adapters beside a model, compared with models that they were merged into.
@Suite(.inTurns)
struct AdapterTests {
    private static func text(_ model: Model, count: Int = 75, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<TokenID(model.vocabularySize), using: &random) }
    }

    /// The logits of a text, its last tokens one by one.
    private static func logits(
        _ model: Model, _ tokens: [TokenID], _ adapters: AdapterSet = .none, type: KeyValueType = .f32
    ) throws -> [Float] {
        let runner = try SynchronousRunner(model: model, keyValueType: type, threads: 2, contextSize: 256)
        runner.sequence.use(adapters)
        let prompt = tokens.count - 5
        var logits = Array(try runner.run(tokens[..<prompt], wanted: .all))
        for index in prompt..<tokens.count { logits += try runner.run(tokens[index...index], wanted: .last) }
        return logits
    }

    private static func difference(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    // The vectors of tokens for every layer of gemma3n and gemma4 are read by row, and their table's name ends as that
    // of the embeddings, which the fixture adapts.
    @Test(
        "Logits are those of the merged model, of prompts and of single tokens",
        arguments: TestLevel.cases(Fixture.names.filter { !["gemma3n", "gemma4"].contains($0) }, standard: 6))
    func merged(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = Self.text(model)
        let fixture = AdapterFixture(model, AdapterFixture.linear + ["token_embd.weight"]).adding("output.weight")
        let adapters = try AdapterSet([(fixture.adapter(for: model), 0.5)])
        let ours = try Self.logits(model, tokens, adapters)
        let expected = try Self.logits(try AdapterFixture.merged(model.file, [(fixture, 0.5)]), tokens)
        let plain = try Self.logits(model, tokens)
        let worst = Self.difference(ours, expected)
        print("adapter of \(name): \(worst) from the merged model, \(Self.difference(plain, expected)) without it")
        #expect(worst <= 1e-4)
        #expect(Self.difference(plain, expected) > 0.05)
    }

    @Test("Adapters of Gemma 3n's streams, residuals and vectors of tokens are those of the merged model")
    func streams() throws {
        let model = try Fixture.model("gemma3n")
        let tokens = Self.text(model)
        let fixture = AdapterFixture(
            model,
            [
                "attn_q.weight", "ffn_gate.weight", "ffn_down.weight", "laurel_l.weight", "laurel_r.weight",
                "inp_gate.weight", "proj.weight", "altup_router.weight", "predict_coef.weight", "correct_coef.weight",
            ]
        ) { $0.size = 0.1 }
        #expect(fixture.names.contains("altup_proj.weight") && fixture.names.contains("altup_unembd_proj.weight"))
        let adapters = try AdapterSet([(fixture.adapter(for: model), 0.5)])
        let ours = try Self.logits(model, tokens, adapters)
        let expected = try Self.logits(try AdapterFixture.merged(model.file, [(fixture, 0.5)]), tokens)
        let effect = Self.difference(try Self.logits(model, tokens), expected)
        // Changed coefficients of streams leave single precision fewer digits.
        #expect(Self.difference(ours, expected) <= 1e-3 && effect > 1)
    }

    @Test("Matrices may be stored in any type, and alpha may be missing", arguments: AdapterFixture.Storage.allCases)
    func storage(storage: AdapterFixture.Storage) throws {
        let model = try Fixture.model("lfm2")
        let tokens = Self.text(model)
        for rank in TestLevel.isAll ? [1, 7, 32] : [7] {
            let fixture = AdapterFixture(model, ["attn_q.weight", "in_proj.weight", "ffn_down.weight"]) {
                $0.storage = storage
                $0.rank = rank
                $0.alpha = rank == 7 ? nil : Float(2 * rank)
                $0.size = rank == 7 ? 0.1 : 0.2 / Float(rank).squareRoot()
            }
            let adapter = try fixture.adapter(for: model)
            #expect(adapter.rank == rank && adapter.tensorCount == fixture.names.count)
            // The second matrices, and the first ones where their type is not computed with.
            let size = try fixture.names.reduce(0) {
                let (down, up) = try fixture.halves($1)
                let isUnpacked = storage == .bf16 || storage == .q8
                return $0 + 4 * ((up.values.count / rank + 31) / 32 * 32 * rank + (isUnpacked ? down.values.count : 0))
            }
            #expect(BoundAdapter(adapter).byteCount == size)
            let ours = try Self.logits(model, tokens, try AdapterSet([(adapter, 1)]))
            let expected = try Self.logits(try AdapterFixture.merged(model.file, [(fixture, 1)]), tokens)
            #expect(Self.difference(ours, expected) <= 1e-4, "rank \(rank)")
        }
    }

    /// Three adapters of a model, of different tensors and ranks.
    private static func three(_ model: Model) -> [AdapterFixture] {
        [
            AdapterFixture(model, AdapterFixture.linear),
            AdapterFixture(model, ["attn_q.weight", "attn_v.weight", "in_proj.weight", "ffn_up_exps.weight"]) {
                $0.seed = 2
                $0.rank = 8
            },
            AdapterFixture(model, ["ffn_down.weight", "token_embd.weight"]) {
                $0.seed = 3
                $0.rank = 2
            }.adding("output.weight"),
        ]
    }

    @Test(
        "Several adapters at once, one of them subtracted, are those of the merged model",
        arguments: TestLevel.cases(
            ["lfm2", "lfm2moe", "lfm3", "llama", "qwen3", "qwen3moe", "qwen35", "granitehybrid"], standard: 3))
    func several(name: String) throws {
        let model = try Fixture.model(name)
        let tokens = Self.text(model)
        let fixtures = Self.three(model)
        let scales: [Float] = [1, -0.5, 0.25]
        let adapters = try fixtures.map { try $0.adapter(for: model) }
        let ours = try Self.logits(model, tokens, try AdapterSet(zip(adapters, scales).map { ($0, $1) }))
        let expected = try Self.logits(
            try AdapterFixture.merged(model.file, zip(fixtures, scales).map { ($0, $1) }), tokens)
        #expect(Self.difference(ours, expected) <= 1e-4)
        // Without the last one it is something else, and with factors of 0 it is the plain model to the bit.
        let two = try Self.logits(model, tokens, try AdapterSet(zip(adapters, scales).dropLast().map { ($0, $1) }))
        #expect(Self.difference(two, expected) > 0.01)
        let none = try AdapterSet(adapters.map { ($0, 0) })
        #expect(none.key == nil)
        #expect(try Self.logits(model, tokens, none) == Self.logits(model, tokens))
    }

    @Test(
        "A sequence's bits do not depend on the adapters of others in its batch",
        arguments: TestLevel.cases(
            ["lfm2", "lfm2moe", "lfm3", "qwen3", "qwen35moe", "granitehybrid"], standard: 2))
    func batch(name: String) throws {
        let model = try Fixture.model(name)
        let adapters = try Self.three(model).map { try $0.adapter(for: model) }
        let sets = [
            AdapterSet.none, try AdapterSet([(adapters[0], 1)]), try AdapterSet([(adapters[1], 1)]), .none,
            try AdapterSet([(adapters[0], 1), (adapters[2], 0.5)]), try AdapterSet([(adapters[0], 1)]),
        ]
        let texts = sets.indices.map { Self.text(model, count: 40 + 7 * $0, seed: UInt64(70 + $0)) }
        let expected = try zip(texts, sets).map { try Self.logits(model, $0, $1, type: .f16) }
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 3, contextSize: 256)
        let sequences = sets.map { adapters in
            let sequence = runner.makeSequence()
            sequence.use(adapters)
            return sequence
        }
        let chunks = [5, 1, 11, 1, 1, 33]
        var results = sets.map { _ in [Float]() }
        while true {
            var batch: [BatchSegment] = []
            var owners: [Int] = []
            for i in sets.indices where sequences[i].count < texts[i].count {
                let start = sequences[i].count
                let end = min(start + chunks[i], texts[i].count)
                batch.append(BatchSegment(sequence: sequences[i], tokens: texts[i][start..<end], wanted: .all))
                owners.append(i)
            }
            guard !batch.isEmpty else { break }
            let logits = try runner.run(batch)
            var row = 0
            for (owner, segment) in zip(owners, batch) {
                let end = row + segment.count
                results[owner] += logits[row * model.vocabularySize..<end * model.vocabularySize]
                row = end
            }
        }
        for i in sets.indices { #expect(results[i] == expected[i], "sequence \(i)") }
    }

    @Test("The last row alone, with rows of others left out before it, is the last row of all")
    func lastRow() throws {
        let model = try Fixture.model("lfm2")
        let adapters = try AdapterSet([(Self.three(model)[0].adapter(for: model), 1)])
        let runner = try SynchronousRunner(model: model, keyValueType: .f32, threads: 1, contextSize: 256)
        let texts = (0..<3).map { Self.text(model, count: 20, seed: UInt64($0)) }
        let sets = [adapters, .none, adapters]
        let sequences = sets.map { set in
            let sequence = runner.makeSequence()
            sequence.use(set)
            return sequence
        }
        let logits = Array(
            try runner.run(
                zip(sequences, texts).map { BatchSegment(sequence: $0, tokens: $1[...], wanted: .last) }))
        for (index, (set, text)) in zip(sets, texts).enumerated() {
            let width = model.vocabularySize
            #expect(
                Array(logits[index * width..<(index + 1) * width]) == (try Self.logits(model, text, set)).suffix(width))
        }
    }

    private static func request(
        _ prompt: [TokenID], _ adapters: AdapterSet, _ speculation: Speculation = .off, maxTokens: Int = 20
    ) -> GenerationRequest {
        var request = GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: maxTokens)
        request.adapters = adapters
        request.speculation = speculation
        return request
    }

    @Test("Generations with different adapters side by side, with and without proposals, are what they are alone")
    func generations() throws {
        for name in ["lfm2", "llama", "qwen3"] {
            let model = try Fixture.model(name)
            let fixtures = Self.three(model)
            let engine = try SteppedEngine(model)
            let sets = try [.none] + fixtures.map { try AdapterSet([($0.adapter(for: model), 0.5)]) }
            let prompt = (0..<60).map { TokenID($0 % 13 * 7 + 1) }
            let merged = [[]] + fixtures.map { [($0, Float(0.5))] }
            let alone = try merged.map { merged in
                let engine = try SteppedEngine(try AdapterFixture.merged(model.file, merged))
                let running = engine.start(Self.request(prompt, .none))
                engine.runToEnd()
                return running.tokens
            }
            #expect(Set(alone).count > 2)
            for speculation in [Speculation.off, .lookup] {
                let running = sets.map { engine.start(Self.request(prompt, $0, speculation)) }
                engine.runToEnd()
                #expect(running.map(\.tokens) == alone, "\(name), \(speculation)")
            }
        }
    }

    @Test("An adapter that was loaded for another model is refused when a generation begins")
    func otherModel() throws {
        let (model, other) = (try Fixture.model("lfm2"), try Fixture.model("lfm2"))
        let adapters = try AdapterSet([(AdapterFixture(other, AdapterFixture.linear).adapter(for: other), 1)])
        let engine = try SteppedEngine(model)
        let running = engine.start(Self.request([1, 2, 3], adapters))
        engine.runToEnd()
        #expect(running.error?.code == .invalidAdapter)
    }

    @Test("An adapter's changes are those of its model's file: matrices at the same places of another have none")
    func otherFile() throws {
        let (model, other) = (try Fixture.model("llama"), try Fixture.model("llama"))
        let bound = BoundAdapter(try AdapterFixture(model, ["ffn_down.weight"]).adapter(for: model))
        let own = model.layers.matrices.filter { bound.update(of: $0) != nil }
        #expect(own.count == model.layerCount)
        #expect(other.layers.matrices.allSatisfy { bound.update(of: $0) == nil })
        let offsets = own.map(\.place.offset)
        #expect(other.layers.matrices.count { offsets.contains($0.place.offset) } == own.count)
    }
}
