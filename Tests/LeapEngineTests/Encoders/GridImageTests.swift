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

/// Prompts over pictures that stay whole, whose rows and columns have positions of their own but in LFM3 and Gemma 4:
/// however they are computed, the bits are the same.
@Suite(.inTurns)
struct GridImageTests {
    static let families: [VisionFixture.Family] = [.gemma4, .gemma4Large, .lfm3, .qwen3VL, .qwen3VLMoE, .qwen35]

    /// A chat's tokens and the vectors of its pictures.
    private struct Prompt: InputVectors {
        let tokens: [TokenID]
        let inputs: [MediaInput]
        let memory: AlignedMemory
        let length: Int
        let stride: Int
        /// The row of each place.
        let rows: [Int]

        func vector(at position: Int) -> UnsafePointer<Float> {
            UnsafePointer(memory.base.assumingMemoryBound(to: Float.self) + rows[position] * stride)
        }

        func addition(at position: Int, layer: Int) -> UnsafePointer<Float>? {
            layer < stride / length - 1 ? vector(at: position) + (1 + layer) * length : nil
        }
    }

    private static func prompt(_ family: VisionFixture.Family, _ index: Int = 2) throws -> Prompt {
        let chat = try VisionFixture.load(family).chats[index]
        let encoder = try VisionFixture.encoder(family)
        let part = try #require(VisionFixture.parts(width: chat.width, height: chat.height, family).first)
        let vectors = try #require(try VisionPass(encoder, kernels: try Kernels(threads: 1)).encode(part))
        let memory = try AlignedMemory(byteCount: vectors.count * 4, pool: MemoryPool())
        let floats = memory.base.assumingMemoryBound(to: Float.self)
        for (index, value) in vectors.enumerated() { floats[index] = value }
        let tokens = chat.tokens(family, content: 1000)
        let count = vectors.count / encoder.vectorStride
        var places = 0
        let rows = tokens.map { token in
            guard token < 0 else { return 0 }
            defer { places += 1 }
            return places % count
        }
        let starts = tokens.indices.filter { PlaceToken.step(of: tokens[$0]) == .grid }
        #expect(places == 3 * count && starts.count == 3)
        let inputs = starts.map { start in
            MediaInput(positions: start..<start + count, medium: .image) { .image(part) }
        }
        return Prompt(
            tokens: tokens, inputs: inputs, memory: memory, length: encoder.outputLength,
            stride: encoder.vectorStride, rows: rows)
    }

    private static func executor(_ family: VisionFixture.Family, threads: Int = 1) throws -> CPUExecutor {
        let model = try VisionFixture.model(family)
        return CPUExecutor(
            model: model, layout: CacheLayout(model: model, keyValueType: .f16), kernels: try Kernels(threads: threads),
            contextSize: 1024)
    }

    /// The logits of some of a prompt's positions.
    private static func logits(
        _ prompt: Prompt, _ range: Range<Int>, _ sequence: SequenceState, _ executor: CPUExecutor
    ) throws -> [Float] {
        let segment = BatchSegment(sequence: sequence, tokens: prompt.tokens[range], wanted: .all, vectors: prompt)
        return Array(try #require(try executor.run([segment]))[0].values)
    }

    @Test(
        "Pieces of any length give the bits of the whole, where they leave pictures whole whose positions see each other",
        arguments: TestLevel.cases(families, standard: 2))
    func pieces(family: VisionFixture.Family) throws {
        let prompt = try Self.prompt(family)
        let media = PromptMedia(
            prompt.inputs, prompt: prompt.tokens, length: prompt.length, keepsImagesWhole: true)
        let count = prompt.tokens.count
        let one = try Self.executor(family)
        let whole = try Self.logits(prompt, 0..<count, one.makeSequence(limit: 1024), one)
        for (length, threads) in TestLevel.isAll ? [(1, 1), (5, 2), (64, 3)] : [(5, 2), (64, 3)] {
            let executor = try Self.executor(family, threads: threads)
            let sequence = executor.makeSequence(limit: 1024)
            var logits: [Float] = []
            while sequence.count < count {
                let start = sequence.count
                var end = min(count, start + length)
                if family == .gemma4Large { end = media.pieceEnd(from: start, to: end) }
                logits += try Self.logits(prompt, start..<end, sequence, executor)
            }
            #expect(logits == whole, "pieces of \(length)")
        }
    }

    @Test(
        "A sequence that was cut, or taken over, goes on as the whole, also within a picture",
        arguments: TestLevel.cases(families, standard: 2))
    func cut(family: VisionFixture.Family) throws {
        let prompt = try Self.prompt(family)
        let count = prompt.tokens.count
        let executor = try Self.executor(family)
        let whole = try Self.logits(prompt, 0..<count, executor.makeSequence(limit: 1024), executor)
        let row = whole.count / count
        let second = prompt.inputs[1].positions
        let within = [second.lowerBound + 7, second.upperBound + 3]
        for length in TestLevel.isAll ? [second.lowerBound, second.upperBound] + within : within {
            let sequence = executor.makeSequence(limit: 1024)
            sequence.planCheckpoint(at: length)
            _ = try Self.logits(prompt, 0..<count, sequence, executor)
            // Of convolutions only the latest inputs are kept: the cut may go back to the end of a page.
            let kept = sequence.truncate(to: length)
            #expect(kept == length || family == .lfm3 && kept == length / 64 * 64)
            #expect(try Self.logits(prompt, kept..<count, sequence, executor) == Array(whole[(kept * row)...]))
            // No sequence ends within a picture whose positions see each other, unless it was cut.
            if family == .gemma4Large, second.dropFirst().contains(length) { continue }
            // The state of another sequence that ends there.
            let other = executor.makeSequence(limit: 1024)
            _ = try Self.logits(prompt, 0..<length, other, executor)
            let next = executor.makeSequence(limit: 1024)
            try next.adopt(other.shared(), of: prompt.tokens)
            #expect(next.count == length)
            #expect(try Self.logits(prompt, length..<count, next, executor) == Array(whole[(length * row)...]))
        }
    }

    @Test(
        "Sequences side by side in a batch give what each gives alone",
        arguments: TestLevel.cases(families, standard: 2))
    func batch(family: VisionFixture.Family) throws {
        let executor = try Self.executor(family, threads: 2)
        let prompts = try (0..<3).map { try Self.prompt(family, $0) }
        let alone = try prompts.map {
            try Self.logits($0, 0..<$0.tokens.count, executor.makeSequence(limit: 1024), executor)
        }
        let segments = prompts.map {
            BatchSegment(
                sequence: executor.makeSequence(limit: 1024), tokens: $0.tokens[...], wanted: .all, vectors: $0)
        }
        let together = try #require(try executor.run(segments)).map { Array($0.values) }
        #expect(together == alone)
    }

    @Test(
        "A picture's columns count: the same vectors in another grid give other logits",
        arguments: TestLevel.cases(families, standard: 2))
    func gridCounts(family: VisionFixture.Family) throws {
        let prompt = try Self.prompt(family)
        let executor = try Self.executor(family)
        let flat = Prompt(
            tokens: prompt.tokens.map { $0 < 0 ? PlaceToken.make(.position, content: UInt32(bitPattern: $0)) : $0 },
            inputs: prompt.inputs, memory: prompt.memory, length: prompt.length, stride: prompt.stride,
            rows: prompt.rows)
        let range = 0..<prompt.tokens.count
        let isSame =
            try Self.logits(prompt, range, executor.makeSequence(limit: 1024), executor)
            == Self.logits(flat, range, executor.makeSequence(limit: 1024), executor)
        #expect(isSame == (family.isGemma4 || family == .lfm3))
    }

    @Test(
        "An engine that goes on from kept state gives what one that computes all gives",
        arguments: TestLevel.cases(families, standard: 2))
    func kept(family: VisionFixture.Family) async throws {
        func engine() throws -> Engine {
            var options = EngineOptions()
            options.threads = 2
            options.prefillChunk = 24
            options.prefixCacheBytes = 64 << 20
            return try Engine(
                model: try VisionFixture.model(family), encoder: try VisionFixture.encoder(family), options: options)
        }
        func generate(
            _ tokens: [TokenID], _ inputs: [MediaInput], _ engine: Engine, _ session: Session? = nil
        ) async throws -> (tokens: [TokenID], cached: Int) {
            var request = GenerationRequest(prompt: tokens, sampling: .greedy, maxTokens: 12)
            request.media = inputs
            var out: [TokenID] = []
            for await event in (session ?? engine.makeSession()).events(request) {
                if case .token(let token) = event { out.append(token) }
                if case .finished(let result) = event {
                    guard case .maxTokens = result.reason else { throw EngineError(.cancelled, "\(result.reason)") }
                    return (out, result.cachedPromptTokens)
                }
            }
            throw EngineError(.cancelled, "no end")
        }
        let prompt = try Self.prompt(family)
        let warm = try engine()
        let session = warm.makeSession()
        let first = try await generate(prompt.tokens, prompt.inputs, warm, session)
        let next = prompt.tokens + first.tokens + [10, 20, 30]
        let second = try await generate(next, prompt.inputs, warm, session)
        let third = try await generate(next + [40], prompt.inputs, warm)
        #expect(second.cached > prompt.inputs[2].positions.upperBound && third.cached >= 64)
        #expect(try await generate(next, prompt.inputs, try engine()).tokens == second.tokens)
        #expect(try await generate(next + [40], prompt.inputs, try engine()).tokens == third.tokens)
    }

    @Test(
        "In large models of Gemma 4 the positions of a picture see each other, in small ones those before them",
        arguments: [VisionFixture.Family.gemma4, .gemma4Large])
    func wholeImages(family: VisionFixture.Family) throws {
        #expect(try VisionFixture.model(family).layers.stack.needsWholeImages == (family == .gemma4Large))
        let prompt = try Self.prompt(family)
        let executor = try Self.executor(family)
        let picture = prompt.inputs[0].positions
        // The first place in the picture of those whose windows reach its end; another vector comes in at the end.
        var rows = prompt.rows
        rows[picture.upperBound - 1] = 0
        let changed = Prompt(
            tokens: prompt.tokens, inputs: prompt.inputs, memory: prompt.memory, length: prompt.length,
            stride: prompt.stride, rows: rows)
        let range = 0..<picture.upperBound
        let first = try Self.logits(prompt, range, executor.makeSequence(limit: 1024), executor)
        let second = try Self.logits(changed, range, executor.makeSequence(limit: 1024), executor)
        let row = first.count / range.count
        func isSame(_ position: Int) -> Bool {
            first[position * row..<(position + 1) * row] == second[position * row..<(position + 1) * row]
        }
        #expect(isSame(picture.lowerBound - 1) && !isSame(picture.upperBound - 1))
        for position in picture.dropLast() { #expect(isSame(position) == (family == .gemma4), "\(position)") }
    }

    @Test("An engine computes pictures in one piece whose positions see each other, however few tokens a step has")
    func wholeImagesInSteps() async throws {
        let prompt = try Self.prompt(.gemma4Large)
        var likelihoods: [[TokenLikelihood]] = []
        for chunk in [4096, 24, 7] {
            var options = EngineOptions()
            options.threads = 2
            options.prefillChunk = chunk
            let engine = try Engine(
                model: try VisionFixture.model(.gemma4Large), encoder: try VisionFixture.encoder(.gemma4Large),
                options: options)
            var request = GenerationRequest(prompt: prompt.tokens, sampling: .greedy, maxTokens: 4)
            request.media = prompt.inputs
            request.likelihoodAlternatives = 4
            for await event in engine.makeSession().events(request) {
                if case .finished(let result) = event { likelihoods.append(result.likelihoods) }
            }
        }
        #expect(likelihoods.count == 3 && likelihoods[0].count == 4)
        #expect(likelihoods[1] == likelihoods[0] && likelihoods[2] == likelihoods[0])
    }

    @Test("A piece ends before a picture that has to stay whole, or behind it")
    func pieceEnds() throws {
        let media = PromptMedia(
            [MediaInput(positions: 5..<9, medium: .image) { throw EngineError(.cancelled, "not read") }],
            prompt: [TokenID](repeating: 1, count: 12), length: 1, keepsImagesWhole: true)
        let pieces: [(from: Int, to: Int)] = [
            (0, 4), (0, 5), (0, 6), (0, 8), (0, 9), (5, 6), (5, 9), (7, 8), (9, 11),
        ]
        let ends = pieces.map {
            media.pieceEnd(from: $0.from, to: $0.to)
        }
        #expect(ends == [4, 5, 5, 5, 9, 9, 9, 9, 11])
    }

    @Test("Gemma 4's projector is refused for a model of another architecture")
    func otherGemma() throws {
        for family in [VisionFixture.Family.gemma4, .gemma4Large] {
            let encoder = try VisionFixture.encoder(family)
            try encoder.validate(for: try VisionFixture.model(family))
            let error = #expect(throws: EngineError.self) {
                try encoder.validate(for: try VisionFixture.model(.qwen35))
            }
            #expect(error?.code == .incompatibleModels && error?.field == "general.architecture")
        }
    }

    @Test("What Gemma 4's products read and give is cut to the bounds of the file")
    func bounds() throws {
        let plain = try VisionFixture.encoder(.gemma4).file
        let part = VisionFixture.parts(width: 128, height: 96, .gemma4)[0]
        func encoder(_ change: (String) -> Float?) throws -> VisionEncoder {
            var writer = GGUFWriter(copyingMetadataOf: plain)
            for tensor in plain.tensors {
                if let value = change(tensor.name) {
                    try writer.add(tensor: tensor.name, shape: [1], floats: [value])
                } else {
                    try writer.add(tensor)
                }
            }
            return try VisionEncoder(file: try writer.file())
        }
        func vectors(_ encoder: VisionEncoder) throws -> [Float]? {
            try VisionPass(encoder, kernels: try Kernels(threads: 1)).encode(part)
        }
        let expected = try vectors(try encoder { _ in nil })
        for name in ["v.blk.0.attn_q.input_max", "v.blk.1.ffn_down.output_min", "v.blk.2.attn_out.input_min"] {
            #expect(try vectors(try encoder { $0 == name ? 0 : nil }) != expected, "\(name)")
        }
        let error = #expect(throws: EngineError.self) { try encoder { $0 == "v.blk.1.ffn_up.output_min" ? 9 : nil } }
        #expect(error?.code == .invalidTensor && error?.field == "v.blk.1.ffn_up.output_min")
    }

    @Test("A projector with vectors for layers that the model does not have is refused, and one without")
    func additions() throws {
        let (deep, plain) = (try VisionFixture.encoder(.qwen3VL), try VisionFixture.encoder(.qwen35))
        #expect(deep.additionCount == 2 && deep.vectorStride == 3 * 64 && plain.additionCount == 0)
        for (encoder, family) in [(deep, VisionFixture.Family.qwen35), (plain, .qwen3VL)] {
            let error = #expect(throws: EngineError.self) { try encoder.validate(for: try VisionFixture.model(family)) }
            #expect(error?.code == .incompatibleModels && error?.field == "clip.vision.is_deepstack_layers")
        }
    }
}
