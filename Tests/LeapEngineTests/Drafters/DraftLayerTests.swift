import Foundation
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Blocks that predict further tokens: what they compute, and what sequences keep for them.
@Suite(.inTurns)
struct DraftLayerTests {
    /// A model that runs with its block.
    private struct Running {
        let model: Model
        let executor: any Executor
        let layers: any DraftStepExecutor

        init(_ model: Model, _ layers: DraftLayers?) throws {
            self.model = model
            let given: DraftLayers = try #require(layers)
            executor = try CPUDevice(threads: 2).makeExecutor(
                for: model, draftLayers: given, keyValueType: .f32, contextSize: 256,
                memory: MemoryPool())
            self.layers = try #require(executor.draftLayers)
        }

        init(_ name: String) throws {
            let model = try DraftLayerFixture.whole(name)
            try self.init(model, try model.draftLayers())
        }

        /// A sequence with some tokens, computed in pieces.
        func sequence(_ tokens: ArraySlice<TokenID>, pieces: [Int] = []) throws -> SequenceState {
            let sequence = executor.makeSequence(limit: 256)
            for piece in pieces + [tokens.count] where sequence.count < tokens.count {
                try add(tokens.dropFirst(sequence.count).prefix(piece), to: sequence)
            }
            return sequence
        }

        func add(_ tokens: ArraySlice<TokenID>, proposals: Int = 0, to sequence: SequenceState) throws {
            var segment = BatchSegment(sequence: sequence, tokens: tokens, wanted: .none)
            segment.proposalCount = proposals
            _ = try executor.run([segment], shouldContinue: { true })
        }

        /// The logits behind a token that follows a sequence.
        func first(_ token: TokenID, behind sequence: SequenceState) throws -> [Float] {
            let output = try layers.run([DraftStep(sequence: sequence, token: token)], shouldContinue: { true })
            return Array(try #require(output)[0].logits.values)
        }
    }

    private static func difference(_ a: [Float], _ b: [Float]) -> Float {
        a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test(
        "Logits of drafts that follow one another are numpy's within 2e-4, whatever the pieces of the text",
        arguments: DraftLayerFixture.names)
    func reference(name: String) throws {
        let fixture = try DraftLayerFixture.load(name)
        let target = try Fixture.model(name)
        let apart = try Running(target, try DraftLayerFile(file: try DraftLayerFixture.file(name)).layers(for: target))
        for (running, pieces) in [(try Running(name), []), (apart, [1, 2, 40, 20])] as [(Running, [Int])] {
            let sequences = try fixture.chains.map {
                try running.sequence(fixture.tokens[..<$0.count], pieces: pieces)
            }
            var steps = zip(fixture.chains, sequences).map { chain, sequence in
                DraftStep(sequence: sequence, token: fixture.tokens[chain.count])
            }
            for place in 0..<3 {
                let outputs = try #require(try running.layers.run(steps, shouldContinue: { true }))
                for (index, output) in outputs.enumerated() {
                    let count = output.logits.length
                    let expected = Array(fixture.chains[index].logits[place * count..<(place + 1) * count])
                    #expect(Self.difference(Array(output.logits.values), expected) <= 2e-4, "\(index), \(place)")
                    #expect(argmax(output.logits.values) == fixture.chains[index].drafts[place])
                    steps[index] = DraftStep(
                        sequence: sequences[index], token: fixture.chains[index].drafts[place], offset: place + 1,
                        hidden: output.hidden)
                }
            }
            #expect(sequences.map(\.count) == fixture.chains.map(\.count))
        }
    }

    @Test(
        "What drafts read has the same bits for any pieces of a text, together and alone, after a cut, and in a sequence that shares it",
        arguments: DraftLayerFixture.names)
    func state(name: String) throws {
        let running = try Running(name)
        let tokens = try DraftLayerFixture.load(name).tokens
        let token = tokens[70]
        let expected = try running.first(token, behind: try running.sequence(tokens[..<70]))
        for pieces in [[1, 1, 1, 30], [64], [69], [7, 57, 5]] {
            #expect(try running.first(token, behind: try running.sequence(tokens[..<70], pieces: pieces)) == expected)
        }
        // A pass with proposals, of which the first two are right.
        let checked = try running.sequence(tokens[..<68])
        try running.add(tokens[68..<70] + [9, 8, 7], proposals: 5, to: checked)
        #expect(checked.truncate(to: 70) == 70)
        #expect(try running.first(token, behind: checked) == expected)
        // Twice: drafts leave nothing behind.
        #expect(try running.first(token, behind: checked) == expected)
        let shared = running.executor.makeSequence(limit: 256)
        try shared.adopt(try running.sequence(tokens[..<70]).shared(), of: Array(tokens[..<70]))
        #expect(shared.count == 70)
        #expect(try running.first(token, behind: shared) == expected)
        let others = try [tokens[..<5], tokens[..<70], tokens[..<64]].map { try running.sequence($0) }
        let together = try #require(
            try running.layers.run(
                others.map { DraftStep(sequence: $0, token: token) }, shouldContinue: { true }))
        #expect(Array(together[1].logits.values) == expected)
        #expect(try running.layers.run([DraftStep(sequence: shared, token: 3)], shouldContinue: { false }) == nil)
    }

    @Test(
        "A pass with proposals can be taken back to any of its places, and goes on with the same bits",
        arguments: ["qwen35", "nemotron-h-moe", "granitehybrid", "falcon-h1"])
    func replay(name: String) throws {
        let model = try Fixture.model(name)
        let executor = try CPUDevice(threads: 2).makeExecutor(
            for: model, keyValueType: .f32, contextSize: 256, memory: MemoryPool())
        let tokens = (0..<90).map { TokenID(($0 * 37 + 11) % 300) }
        let wrong: [TokenID] = [5, 6, 7, 8, 9, 10]
        func last(_ sequence: SequenceState, _ more: ArraySlice<TokenID>) throws -> [Float] {
            let rows = try executor.run(
                [BatchSegment(sequence: sequence, tokens: more, wanted: .last)], shouldContinue: { true })
            return Array(try #require(rows)[0].values)
        }
        for start in [0, 60] {
            for kept in 1...5 {
                let sequence = executor.makeSequence(limit: 256)
                if start > 0 { _ = try last(sequence, tokens[..<start]) }
                var segment = BatchSegment(
                    sequence: sequence, tokens: tokens[start..<start + kept] + wrong.dropFirst(kept), wanted: .none)
                segment.proposalCount = 5
                _ = try executor.run([segment], shouldContinue: { true })
                #expect(sequence.truncate(to: start + kept) == start + kept)
                #expect(sequence.tokens == Array(tokens[..<(start + kept)]))
                let plain = executor.makeSequence(limit: 256)
                #expect(try last(sequence, tokens[(start + kept)...]) == last(plain, tokens[...]), "\(start) \(kept)")
            }
        }
    }

    @Test("Drafts are computed without the sequence's adapters, which name places in the model's file")
    func adapters() throws {
        let running = try Running("qwen35")
        let tokens = try DraftLayerFixture.load("qwen35").tokens
        // Of the output head alone: what the layers make of the text is the same.
        let fixture = AdapterFixture(running.model, []).adding("output.weight")
        let adapted = running.executor.makeSequence(limit: 256)
        adapted.use(try AdapterSet([(fixture.adapter(for: running.model), 1)]))
        try running.add(tokens[..<20], to: adapted)
        let plain = try running.sequence(tokens[..<20])
        #expect(try running.first(tokens[20], behind: adapted) == running.first(tokens[20], behind: plain))
    }

    @Test("The state of a sequence goes to a file with what drafts read, and back", arguments: [5, 64, 70])
    func savedState(length: Int) throws {
        let running = try Running("qwen35")
        let tokens = try DraftLayerFixture.load("qwen35").tokens
        let sequence = try running.sequence(tokens[..<length])
        let format = SequenceFormat(model: running.model, memory: running.executor.memory, contextSize: 256)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
        defer { FileSystem.remove(path) }
        let publication = try FilePublication(path: path, permissions: 0o600)
        let known = Array(tokens[..<length])
        try format.write(
            SequenceSnapshot(tokens: known, adapters: nil, prefix: SharedPrefix(sequence.shared())), to: publication)
        try publication.publish(durable: false)
        let read = try format.read(known, adapters: nil, from: try OpenFile(path, .readingWithoutWaiting), at: 0)
        let other = try Running("qwen35")
        let restored = other.executor.makeSequence(limit: 256)
        try restored.restore(read.prefix.match, of: known, adapters: nil)
        #expect(try other.first(tokens[length], behind: restored) == running.first(tokens[length], behind: sequence))
    }

    @Test("The model's own logits have the same bits with the block and without", arguments: DraftLayerFixture.names)
    func trunk(name: String) throws {
        let running = try Running(name)
        let plain = try CPUDevice(threads: 2).makeExecutor(
            for: try Fixture.model(name), keyValueType: .f32, contextSize: 256, memory: MemoryPool())
        let tokens = try DraftLayerFixture.load(name).tokens
        var found: [[Float]] = []
        for executor in [running.executor, plain] {
            let sequence = executor.makeSequence(limit: 256)
            var logits: [Float] = []
            for range in [0..<30, 30..<31, 31..<75] {
                let rows = try executor.run(
                    [BatchSegment(sequence: sequence, tokens: tokens[range], wanted: .suffix(1))],
                    shouldContinue: { true })
                logits += try #require(rows)[0].values
                if executor === running.executor { _ = try running.first(tokens[range.upperBound], behind: sequence) }
            }
            found.append(logits)
        }
        #expect(found[0] == found[1])
    }

    // MARK: Files

    @Test("Tensors that a block may lack are the model's; any other that is missing is named")
    func missingTensors() throws {
        let file = try DraftLayerFixture.file("qwen35")
        for tensor in file.tensors where tensor.name.hasPrefix("blk.") {
            let part = String(tensor.name.split(separator: ".", maxSplits: 2)[2])
            let model = try DraftLayerFixture.whole("qwen35") { name, values in name == part ? nil : values }
            switch part {
            case "nextn.shared_head_norm.weight":
                let norm = try #require(try model.draftLayers()?.stack.outputNorm)
                guard case .rms(let own) = norm, case .rms(let other)? = model.layers.stack.outputNorm else {
                    Issue.record("no norm")
                    continue
                }
                #expect(own.weight?.values() == other.weight?.values())
            case "nextn.eh_proj.weight": #expect(try model.draftLayers() == nil)
            case "attn_q_norm.weight", "attn_k_norm.weight": #expect(try model.draftLayers() != nil)
            default:
                let error = #expect(throws: EngineError.self) { try model.draftLayers() }
                #expect(error?.code == .missingTensor && error?.field == tensor.name, "\(tensor.name)")
            }
        }
    }

    @Test("Tensors of a wrong shape, and ones that are not known, are named")
    func wrongTensors() throws {
        let block = try DraftLayerFixture.file("qwen35")
        for name in ["nextn.eh_proj.weight", "nextn.hnorm.weight", "attn_q.weight"] {
            var writer = GGUFWriter(copyingMetadataOf: block)
            for tensor in try GGUFFile.open(path: Fixture.path("qwen35")).tensors { try writer.add(tensor) }
            for tensor in block.tensors where tensor.name.hasPrefix("blk.") {
                if tensor.name.hasSuffix(name) {
                    try writer.add(tensor: tensor.name, shape: [32, 3], floats: [Float](repeating: 1, count: 96))
                } else {
                    try writer.add(tensor)
                }
            }
            let model = try Model.load(file: try writer.file())
            let error = #expect(throws: EngineError.self) { try model.draftLayers() }
            #expect(error?.code == .invalidTensor && error?.field?.hasSuffix(name) == true)
        }
        var writer = GGUFWriter(copyingMetadataOf: block)
        for tensor in try GGUFFile.open(path: Fixture.path("qwen35")).tensors { try writer.add(tensor) }
        for tensor in block.tensors where tensor.name.hasPrefix("blk.") { try writer.add(tensor) }
        try writer.add(tensor: "blk.4.nextn.other.weight", shape: [64], floats: [Float](repeating: 1, count: 64))
        let other = try Model.load(file: try writer.file())
        let error = #expect(throws: EngineError.self) { try other.draftLayers() }
        #expect(error?.field == "blk.4.nextn.other.weight")
    }

    @Test("A file with the block alone is a draft model and no model; a model without its block has none")
    func forms() throws {
        let file = try DraftLayerFixture.file("qwen35")
        #expect(DraftLayerFile.isOne(file))
        #expect(try DraftSources.load(path: DraftLayerFixture.path("qwen35")) is DraftLayerFile)
        let error = #expect(throws: EngineError.self) { try Model.load(file: file) }
        #expect(error?.code == .unsupportedArchitecture && error?.message.contains("draft model") == true)
        let trunk = try DraftLayerFixture.whole("qwen35") { _, _ in nil }
        #expect(try trunk.draftLayers() == nil && trunk.layerCount == 4 && !DraftLayerFile.isOne(trunk.file))
        #expect(try Fixture.model("lfm2").draftLayers() == nil)
    }

    @Test("A file of another model is refused with both names")
    func otherModel() throws {
        let block = DraftLayerFile(file: try DraftLayerFixture.file("qwen35"))
        for name in ["qwen35moe", "lfm2", "nemotron-h-moe"] {
            let error = #expect(throws: EngineError.self) { try block.layers(for: try Fixture.model(name)) }
            #expect(error?.code == .incompatibleModels && error?.field == "general.architecture")
            #expect(error?.message.contains("mtp-qwen35.gguf") == true)
        }
        for (key, value) in [("embedding_length", UInt32(32)), ("block_count", 9)] {
            let other = try ModelCopy.open(
                DraftLayerFixture.path("qwen35"), changeMetadata: { $0["qwen35.\(key)"] = .uint32(value) },
                open: { DraftLayerFile(file: try GGUFFile.open(path: $0)) })
            #expect(throws: EngineError.self, "\(key)") { try other.layers(for: try Fixture.model("qwen35")) }
        }
    }

    @Test("Files that are cut or have changed bytes are read as blocks or refused by one of the typed errors")
    func damagedFiles() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: DraftLayerFixture.path("nemotron-h-moe")))
        let target = try Fixture.model("nemotron-h-moe")
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf").path
        defer { FileSystem.remove(path) }
        var random = RandomGenerator(seed: 3)
        for round in 0..<TestLevel.rounds(24, all: 400) {
            var changed = bytes
            if round % 3 == 0 {
                changed = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                for _ in 0..<3 {
                    // Keys, names and shapes are in front of the weights.
                    changed[Int.random(in: 0..<13_000, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            try changed.write(to: URL(fileURLWithPath: path))
            do {
                _ = try (try DraftSources.load(path: path) as? DraftLayerFile)?.layers(for: target)
            } catch {
                #expect(Refusal(error) != nil, "\(error)")
            }
        }
    }
}
