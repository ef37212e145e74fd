import Foundation
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The part of a prompt that is computed, depending on what was computed before and where it was kept.
@Suite(.inTurns)
struct PrefixReuseTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("prefix-reuse-\(UUID().uuidString)")
            .path

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func sequence(_ count: Int, seed: UInt64 = 1) -> [TokenID] {
        var random = RandomGenerator(seed: seed)
        return (0..<count).map { _ in TokenID.random(in: 0..<384, using: &random) }
    }

    private func engine(_ name: String, _ folder: Folder? = nil, memory: Int = 1 << 30) throws -> SteppedEngine {
        try SteppedEngine(name) {
            $0.prefixCacheBytes = memory
            $0.prefixCacheFolder = folder?.path
        }
    }

    private func request(_ prompt: [TokenID], maxTokens: Int = 4) -> GenerationRequest {
        GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: maxTokens)
    }

    /// Returns the answer to a prompt of which nothing is known.
    private func cold(_ name: String, _ prompt: [TokenID], maxTokens: Int = 4) throws -> [TokenID] {
        let engine = try SteppedEngine(name)
        let running = engine.start(request(prompt, maxTokens: maxTokens))
        engine.runToEnd()
        return running.tokens
    }

    private enum Place: CaseIterable { case memory, disk, otherProcess }

    /// A change of a prompt of a system message of 100 tokens, a question of 50 and an answer of 4.
    private struct Change: Sendable {
        let name: String
        let prompt: @Sendable ([TokenID]) -> [TokenID]
        /// Tokens that are known with convolutions, in memory and on disk.
        let known: (memory: Int, disk: Int)
        /// Tokens that are known where attention is all, in memory.
        let attention: Int
        /// Tokens that are known where the state is recurrent, in memory.
        let recurrent: Int
    }

    private static let changes = [
        // The last token of an answer is drawn and not computed: 153 are known.
        Change(
            name: "append", prompt: { $0 + sequence(30, seed: 3) }, known: (153, 153), attention: 153, recurrent: 153),
        Change(
            name: "the same again", prompt: { Array($0.prefix(150)) }, known: (128, 128), attention: 149, recurrent: 149
        ),
        Change(
            name: "another question", prompt: { $0.prefix(100) + sequence(50, seed: 4) }, known: (64, 64),
            attention: 100, recurrent: 64),
        Change(
            name: "edit in the middle", prompt: { $0.prefix(110) + [$0[110] ^ 1] + $0.dropFirst(111) },
            known: (64, 64), attention: 110, recurrent: 64),
        Change(
            name: "edit the system message", prompt: { $0.prefix(20) + [$0[20] ^ 1] + $0.dropFirst(21) },
            known: (0, 0), attention: 20, recurrent: 0),
        Change(name: "one token first", prompt: { [($0[0] ^ 1)] + $0 }, known: (0, 0), attention: 0, recurrent: 0),
        Change(
            name: "another answer", prompt: { $0.prefix(150) + sequence(20, seed: 5) }, known: (150, 128),
            attention: 150, recurrent: 149),
    ]

    @Test(
        "What is known of a changed prompt is not computed, and the answer is that of a cold start",
        arguments: TestLevel.cases(["lfm2", "lfm3", "llama", "granitehybrid", "qwen35"], standard: 2))
    func matrix(name: String) throws {
        // The answers of cold starts, by their prompts.
        var answers: [[TokenID]: [TokenID]] = [:]
        for change in TestLevel.cases(Self.changes, standard: 4) {
            for place in Place.allCases {
                let folder = Folder()
                var engine = try engine(name, place == .memory ? nil : folder, memory: place == .disk ? 0 : 1 << 30)
                let first = engine.start(request(Self.sequence(150)))
                engine.runToEnd()
                let whole = Self.sequence(150) + first.tokens
                engine.core.flush()
                if place == .otherProcess {
                    engine.core.unload()
                    engine = try self.engine(name, folder)
                }
                let prompt = change.prompt(whole)
                let second = engine.start(request(prompt))
                engine.runToEnd()
                let label: Comment = "\(change.name), \(place)"
                let result = try #require(second.result, label)
                let inMemory =
                    switch name {
                    case "llama": change.attention
                    case "qwen35", "granitehybrid": change.recurrent
                    default: change.known.memory
                    }
                var known = place == .memory ? inMemory : change.known.disk
                // States that are larger than a page are kept at every second one.
                if name == "granitehybrid", known == 64 { known = 0 }
                #expect(result.cachedPromptTokens == known, label)
                #expect(result.promptTokens == prompt.count - known, label)
                let answer = try answers[prompt] ?? cold(name, prompt)
                answers[prompt] = answer
                #expect(second.tokens == answer, label)
                engine.core.unload()
            }
        }
    }

    @Test(
        "A chat of ten turns computes each token once, in one session or one for each turn", arguments: [true, false])
    func tenTurns(isOneSession: Bool) throws {
        for name in TestLevel.cases(["lfm2", "llama", "qwen35", "granitehybrid"], standard: 2) {
            let engine = try engine(name)
            let session = engine.makeSession()
            var sequence = Self.sequence(70)
            var computed = 0
            for turn in 0..<10 {
                sequence += Self.sequence(13 + turn, seed: UInt64(20 + turn))
                let running = engine.start(request(sequence, maxTokens: 7), in: isOneSession ? session : nil)
                engine.runToEnd()
                let result = try #require(running.result)
                // The last token of an answer is drawn and not computed.
                computed += result.promptTokens + result.completionTokens - 1
                sequence += running.tokens
                #expect(computed == sequence.count - 1, "\(name), turn \(turn)")
            }
        }
    }

    @Test("While a prefix is read from disk, the others get their next tokens")
    func restoringDelaysNobody() throws {
        let folder = Folder()
        let earlier = try engine("lfm2", folder)
        _ = earlier.start(request(Self.sequence(300)))
        earlier.runToEnd()
        earlier.core.unload()

        let engine = try engine("lfm2", folder)
        let running = engine.start(request(Self.sequence(10, seed: 5), maxTokens: 40))
        while running.tokens.count < 3 {
            engine.takeMail()
            engine.core.step { false }
        }
        let restoring = engine.start(request(Self.sequence(300) + Self.sequence(5, seed: 6)))
        #expect(engine.core.isWaiting && restoring.result == nil)
        // The thread takes no mail, as if the disk had not answered yet.
        for _ in 0..<10 { engine.core.step { false } }
        #expect(running.tokens.count == 13 && engine.core.isWaiting)
        let busy = engine.start(request([1, 2, 3]), in: restoring.session)
        #expect(busy.error?.code == .busy)
        engine.runToEnd()
        // Full pages; the one after them is kept to the end of the earlier answer only.
        #expect(try #require(restoring.result).cachedPromptTokens == 256)
        #expect(try restoring.tokens == cold("lfm2", Self.sequence(300) + Self.sequence(5, seed: 6)))
        #expect(try running.tokens == cold("lfm2", Self.sequence(10, seed: 5), maxTokens: 40))
    }

    @Test("A generation that is cancelled or unloaded while it waits for the disk reports its end once")
    func endsWhileWaiting() throws {
        let folder = Folder()
        let engine = try engine("lfm2", folder)
        let cancelled = engine.start(request(Self.sequence(100)))
        cancelled.task.cancel()
        engine.runToEnd()
        guard case .cancelled? = cancelled.result?.reason else {
            Issue.record("ended with \(String(describing: cancelled.result))")
            return
        }
        let after = engine.start(request(Self.sequence(100)), in: cancelled.session)
        engine.runToEnd()
        #expect(after.error == nil && after.tokens.count == 4)
        let unloaded = engine.start(request(Self.sequence(100)))
        engine.core.unload()
        engine.takeMail()
        guard case .cancelled? = unloaded.result?.reason else {
            Issue.record("ended with \(String(describing: unloaded.result))")
            return
        }
    }
}
