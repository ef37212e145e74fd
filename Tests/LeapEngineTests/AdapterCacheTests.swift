import Foundation
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The state that is kept of a prompt which was computed with some adapters, and the prompts that use it again.
@Suite(.inTurns)
struct AdapterCacheTests {
    private enum Place: CaseIterable { case session, memory, disk, otherProcess }

    private static func prompt(_ count: Int = 150) -> [TokenID] {
        var random = RandomGenerator(seed: 5)
        return (0..<count).map { _ in TokenID.random(in: 0..<512, using: &random) }
    }

    /// The adapters of a case, by name: two adapters, one of them with two factors, both in two orders, none.
    private static let sets = ["none", "a", "a at half", "b", "a and b", "b and a"]

    /// The adapters that follow others: each after itself, and others after it.
    private static let pairs: [(String, [String])] = [
        ("none", ["none", "a"]), ("a", ["a", "none", "a at half", "b", "a and b"]), ("a at half", ["a at half", "a"]),
        ("b", ["b"]), ("a and b", ["a and b", "b and a", "a"]), ("b and a", ["b and a"]),
    ]

    /// Some of them, for places that share how adapters are told apart.
    private static let somePairs: [(String, [String])] = [("none", ["a"]), ("a", ["a", "b"])]

    /// The files of both adapters, for any instance of the model.
    private struct Adapters {
        let a, b: Adapter

        init(_ model: Model) throws {
            let tensors = ["attn_q.weight", "ffn_down.weight", "out_proj.weight"]
            a = try AdapterFixture(model, tensors).adapter(for: model)
            b = try AdapterFixture(model, tensors) { $0.seed = 9 }.adapter(for: model)
        }

        func set(_ name: String) throws -> AdapterSet {
            switch name {
            case "a": try AdapterSet([(a, 1)])
            case "a at half": try AdapterSet([(a, 0.5)])
            case "b": try AdapterSet([(b, 1)])
            case "a and b": try AdapterSet([(a, 1), (b, 1)])
            case "b and a": try AdapterSet([(b, 1), (a, 1)])
            default: AdapterSet.none
            }
        }
    }

    private static func request(_ prompt: [TokenID], _ adapters: AdapterSet) -> GenerationRequest {
        var request = GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: 4)
        request.adapters = adapters
        return request
    }

    @Test(
        "Only what was computed with the same adapters and factors is used again, and the answer is that of a cold start",
        arguments: TestLevel.cases(["lfm2", "llama"], standard: 1))
    func matrix(name: String) throws {
        let model = try Fixture.model(name)
        let adapters = try Adapters(model)
        var cold: [String: [TokenID]] = [:]
        for set in Self.sets {
            let engine = try SteppedEngine(model)
            let running = engine.start(Self.request(Self.prompt(), try adapters.set(set)))
            engine.runToEnd()
            cold[set] = running.tokens
        }
        #expect(Set(cold.values).count >= 4)
        for place in Place.allCases {
            for (first, seconds) in TestLevel.isAll || place == .memory ? Self.pairs : Self.somePairs {
                for second in seconds {
                    let folder = FileManager.default.temporaryDirectory
                        .appendingPathComponent("adapter-cache-\(UUID().uuidString)").path
                    defer { try? FileManager.default.removeItem(atPath: folder) }
                    func engine(_ model: Model) throws -> SteppedEngine {
                        try SteppedEngine(model) {
                            $0.prefixCacheBytes = place == .memory ? 1 << 30 : 0
                            $0.prefixCacheFolder = place == .disk || place == .otherProcess ? folder : nil
                        }
                    }
                    let one = try engine(model)
                    let before = one.start(Self.request(Self.prompt(), try adapters.set(first)))
                    one.runToEnd()
                    one.core.flush()
                    var (two, others) = (one, adapters)
                    if place == .otherProcess {
                        one.core.unload()
                        let again = try Fixture.model(name)
                        others = try Adapters(again)
                        two = try engine(again)
                    }
                    let after = two.start(
                        Self.request(Self.prompt(), try others.set(second)),
                        in: place == .session ? before.session : nil)
                    two.runToEnd()
                    let label: Comment = "\(place): \(second) after \(first)"
                    let result = try #require(after.result, label)
                    #expect((result.cachedPromptTokens >= 128) == (first == second), label)
                    #expect(first == second || result.cachedPromptTokens == 0, label)
                    #expect(after.tokens == cold[second], label)
                    two.core.unload()
                }
            }
        }
    }

    @Test("An adapter is known again by what it holds, not by its file")
    func identity() throws {
        let model = try Fixture.model("lfm2")
        let fixture = AdapterFixture(model, AdapterFixture.linear)
        let identity = try fixture.adapter(for: model).identity
        #expect(try fixture.adapter(for: model).identity == identity)
        var others = [fixture, fixture, fixture, AdapterFixture(model, ["attn_q.weight"])]
        others[0].alpha = 9
        others[1].seed = 2
        others[2].storage = .f16
        for other in others { #expect(try other.adapter(for: model).identity != identity) }
    }

    @Test("Prefixes with and without adapters count towards the same limits, and make way for each other")
    func limits() throws {
        let model = try Fixture.model("llama")
        let adapters = try Adapters(model)
        let engine = try SteppedEngine(model) {
            $0.prefixCacheBytes = 1 << 30
            $0.prefixCacheEntries = 2
        }
        func cached(_ set: String) throws -> Int? {
            let running = engine.start(Self.request(Self.prompt(), try adapters.set(set)))
            engine.runToEnd()
            return running.result?.cachedPromptTokens
        }
        #expect(try ["none", "a", "none", "b", "none", "a"].map { try cached($0) } == [0, 0, 149, 0, 149, 0])
    }
}
