import LeapGGUF
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapModel

/// The results of drafters of blocks, compared with numpy.
@Suite(.inTurns)
struct BlockDrafterTests {
    /// A drafter that runs for the model it is for.
    private struct Running {
        let drafter: BlockDrafter
        let executor: any BlockDraftExecutor

        init(_ name: String) throws {
            drafter = try DrafterFixture.drafter(name)
            let target = try Fixture.model("lfm2")
            try drafter.validate(for: target)
            executor = try CPUDevice(threads: 2).makeDraftExecutor(
                for: drafter, target: target, keyValueType: .f32, contextSize: 256, memory: MemoryPool())
        }

        /// A sequence that has taken in so many positions, in pieces.
        func sequence(_ count: Int, pieces: [Int]) throws -> SequenceState {
            let sequence = executor.makeSequence(limit: 256)
            for piece in pieces + [count] where sequence.count < count {
                let range = sequence.count..<min(sequence.count + piece, count)
                var streams = DrafterFixture.streams(range, length: drafter.fusion.columns)
                try streams.withUnsafeMutableBufferPointer { buffer in
                    let base = try #require(buffer.baseAddress)
                    let tokens = [TokenID](repeating: 7, count: range.count)
                    try executor.absorb(
                        [BatchSegment(sequence: sequence, tokens: tokens[...], wanted: .none)],
                        streams: [Rows(base: base, count: range.count, length: drafter.fusion.columns)])
                }
            }
            return sequence
        }

        func block(_ block: DrafterFixture.Block, behind sequence: SequenceState) -> DraftBlock {
            DraftBlock(
                sequence: sequence, tokens: drafter.block(after: block.anchor, proposing: block.proposals),
                proposals: block.proposals)
        }
    }

    private static func difference(_ a: [Float], _ b: [Float]) -> Float {
        a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test(
        "Logits of blocks and of the tokens that follow one another are numpy's within 1e-4, of blocks together and the text in pieces",
        arguments: ["dspark", "dflash"])
    func reference(name: String) throws {
        let running = try Running(name)
        let blocks = try DrafterFixture.load(name).blocks
        for pieces in [[], [1, 2, 40, 20], [64]] {
            let sequences = try blocks.map { try running.sequence($0.context, pieces: pieces) }
            // Twice: a block leaves nothing behind.
            for _ in 0..<2 {
                let logits = try #require(
                    try running.executor.logits(
                        of: zip(blocks, sequences).map { running.block($0, behind: $1) }, shouldContinue: { true }))
                #expect(sequences.map(\.count) == blocks.map(\.context))
                for (block, rows) in zip(blocks, logits) {
                    #expect(Self.difference(Array(rows.values), block.base) <= 1e-4)
                    for place in 0..<block.proposals {
                        let row = rows.slice(place..<place + 1)
                        let previous = place > 0 ? block.chain[place - 1] : block.anchor
                        try running.executor.addTransitions([(previous: previous, logits: row)])
                        #expect(argmax(row.values) == block.chain[place])
                    }
                    #expect(Self.difference(Array(rows.values), block.logits) <= 1e-4)
                }
            }
        }
    }

    @Test("A block has the same bits alone and beside others", arguments: ["dspark", "dflash"])
    func together(name: String) throws {
        let running = try Running(name)
        let blocks = try DrafterFixture.load(name).blocks
        let sequences = try blocks.map { try running.sequence($0.context, pieces: []) }
        let parts = zip(blocks, sequences).map { running.block($0, behind: $1) }
        let all = try #require(try running.executor.logits(of: parts, shouldContinue: { true })).map {
            Array($0.values)
        }
        for (part, expected) in zip(parts, all) {
            let alone = try #require(try running.executor.logits(of: [part], shouldContinue: { true }))
            #expect(Array(alone[0].values) == expected)
        }
        #expect(try running.executor.logits(of: parts, shouldContinue: { false }) == nil)
        #expect(sequences.map(\.count) == blocks.map(\.context))
    }

    @Test("A file tells how long a block is, where it begins to propose and which layers are read")
    func description() throws {
        let spark = try DrafterFixture.drafter("dspark")
        #expect(spark.sourceLayers == [0, 2, 4] && spark.blockLength == 5 && spark.maxProposal == 5)
        #expect(spark.block(after: 3, proposing: 3) == [3, 511, 511] && spark.transitions?.next.columns == 8)
        let flash = try DrafterFixture.drafter("dflash")
        #expect(flash.sourceLayers == [1, 3] && flash.maxProposal == 5 && flash.transitions == nil)
        #expect(flash.block(after: 3, proposing: 2) == [3, 511, 511])
        let later = try ModelCopy.open(
            DrafterFixture.path("dspark"),
            changeMetadata: {
                $0["dflash.sample_from_anchor"] = .bool(false)
                // What drafters of models have that tell rows and columns of pictures apart.
                $0["dflash.rope.dimension_sections"] = .array(GGUFArray([Int32(12), 0, 0, 0]))
            },
            open: { try BlockDrafter.load(path: $0) })
        #expect(later.maxProposal == 4 && later.block(after: 3, proposing: 1) == [3, 511])
    }

    @Test("Proposing costs the drafter's weights, and the model's head where it is used")
    func cost() throws {
        let target = try Fixture.model("lfm2")
        let spark = try DrafterFixture.drafter("dspark").cost(beside: target)
        let flash = try DrafterFixture.drafter("dflash").cost(beside: target)
        #expect(spark.block > 0.3 && spark.block < 1 && spark.transition > 0 && spark.transition < 0.05)
        #expect(flash.transition == 0 && flash.block > 0.2)
    }
}
