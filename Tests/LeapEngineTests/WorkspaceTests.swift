import LeapMeasurement
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The scratch memory of forward passes.
@Suite(.inTurns)
struct WorkspaceTests {
    @Test("What a large batch needed is given back after a number of small ones")
    func whatLargeBatchNeeded() throws {
        let workspace = Workspace()
        workspace.beginBatch(rows: 512)
        _ = try workspace.floats(.gate, 512 * 1000)
        _ = try workspace.activation(kind: 2, byteCount: 512 * 500)
        let large = workspace.byteCount
        for _ in 1..<Workspace.smallBatchLimit {
            workspace.beginBatch(rows: 1)
            _ = try workspace.floats(.gate, 1000)
            #expect(workspace.byteCount == large)
        }
        workspace.beginBatch(rows: 1)
        _ = try workspace.floats(.gate, 1000)
        #expect(workspace.byteCount == 4000)
    }

    #if DEBUG
        @Test("A buffer that is taken again while it is still needed shows in what is computed: it holds NaN")
        func takenAgain() throws {
            let workspace = Workspace()
            let first = try workspace.floats(.gate, 8)
            first.update(repeating: 1, count: 8)
            let other = try workspace.floats(.up, 8)
            other.update(repeating: 2, count: 8)
            #expect((0..<8).allSatisfy { first[$0] == 1 })
            _ = try workspace.floats(.gate, 6)
            #expect((0..<6).allSatisfy { first[$0].isNaN } && first[7] == 1)
            #expect((0..<8).allSatisfy { other[$0] == 2 })
        }

        @Test("A live buffer is named to whoever wants its memory for another purpose, until it is released")
        func holders() throws {
            let workspace = Workspace()
            #expect(workspace.holder(of: .pixels) == nil)
            _ = try workspace.floats(.gate, 8)
            #expect(workspace.holder(of: .pixels) == .gate)
            #expect(workspace.holder(of: .gate) == nil && workspace.holder(of: .up) == nil)
            workspace.release([.gate])
            #expect(workspace.holder(of: .pixels) == nil)
            _ = try workspace.floats(.pixels, 8)
            // It is not the gates that are live there.
            workspace.release([.gate])
            #expect(workspace.holder(of: .gate) == .pixels)
            workspace.removeAll()
            #expect(workspace.holder(of: .gate) == nil)
        }

        @Test("Outputs are live up to the next batch, everything else up to the end of its own")
        func liveBetweenBatches() throws {
            let workspace = Workspace()
            workspace.beginBatch(rows: 8)
            _ = try workspace.floats(.hidden, 8)
            _ = try workspace.floats(.normed, 8)
            workspace.endBatch()
            #expect(workspace.holder(of: .mixed) == .hidden && workspace.holder(of: .texts) == nil)
            workspace.beginBatch(rows: 8)
            #expect(workspace.holder(of: .mixed) == nil)
        }
    #endif

    @Test("Purposes that share memory take it once")
    func sharedMemory() throws {
        let workspace = Workspace()
        let gates = try workspace.floats(.gate, 8)
        workspace.release([.gate])
        let pixels = try workspace.floats(.pixels, 6)
        #expect(gates == pixels && workspace.byteCount == 32)
        #expect(Workspace.Purpose.allCases.allSatisfy { $0.memory.memory == $0.memory })
    }

    @Test("A large batch in between starts the count again")
    func largeBatchBetweenStarts() throws {
        let workspace = Workspace()
        for round in 0..<3 {
            workspace.beginBatch(rows: 100)
            _ = try workspace.floats(.stream, 100 * 64)
            for _ in 1..<Workspace.smallBatchLimit {
                workspace.beginBatch(rows: 24)
                #expect(workspace.byteCount == 100 * 64 * 4, "round \(round)")
            }
        }
    }

    @Test("Logits stay the same bits while memory is given back", arguments: ["lfm2", "llama"])
    func logitsStaySameBits(name: String) throws {
        let model = try Fixture.model(name)
        let runner = try SynchronousRunner(model: model, keyValueType: .f16, threads: 2, contextSize: 1024)
        var random = RandomGenerator(seed: 3)
        let prompt = 200
        let text = (0..<(prompt + 2 * Workspace.smallBatchLimit)).map { _ in TokenID.random(in: 0..<512, using: &random)
        }
        let expected = Array(try runner.run(text[...], wanted: .all))
        let width = expected.count / text.count
        runner.reset()
        _ = try runner.run(text[..<prompt], wanted: .none)
        for index in prompt..<text.count {
            let logits = Array(try runner.run(text[index...index], wanted: .last))
            #expect(logits == Array(expected[(index * width)..<((index + 1) * width)]), "token \(index)")
        }
    }
}
