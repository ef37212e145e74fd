import CLeapKernels
import LeapBase
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The choice and the weights of experts, and the numbers that descriptions and kernels share.
@Suite(.inTurns)
struct RouterTests {
    /// A router whose logits are given.
    private static func router(_ score: Router.Score, used: Int, _ change: (inout Router) -> Void = { _ in }) throws
        -> Router
    {
        let model = try Fixture.model("lfm2moe")
        for layer in model.layers.stack.layers {
            guard case .mixture(let network) = layer.feedForward else { continue }
            var router = network.router
            (router.score, router.used, router.choiceBias, router.normalization) = (score, used, nil, nil)
            change(&router)
            return router
        }
        throw EngineError(.missingTensor, "the fixture has no mixture")
    }

    private static func choose(
        _ router: Router, _ logits: [Float], bias: [Float]? = nil
    ) -> (experts: [Int], weights: [Float]) {
        var routing = ExpertRouting(rows: 1, experts: logits.count, used: router.used)
        var scores = logits
        scores.withUnsafeMutableBufferPointer { scores in
            if let bias {
                bias.withUnsafeBufferPointer {
                    router.choose(row: 0, scores: scores, bias: $0.baseAddress, into: &routing)
                }
            } else {
                router.choose(row: 0, scores: scores, bias: nil, into: &routing)
            }
        }
        return (routing.experts.map(Int.init), routing.weights)
    }

    private static func isNear(_ found: [Float], _ expected: [Double]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs(Double($0) - $1) <= 1e-6 }
    }

    private static let logits: [Float] = [0.5, -1, 2, 1.5, 0, 3, -2, 1]

    @Test("Softmax over all experts, normalised over the chosen ones, is softmax of the chosen ones")
    func softmax() throws {
        let all: [Double] = Self.logits.map { exp(Double($0)) }
        let sum: Double = all.reduce(0, +)
        let plain = Self.choose(try Self.router(.softmax, used: 3), Self.logits)
        #expect(plain.experts == [5, 2, 3])
        let shares = [5, 2, 3].map { (expert: Int) -> Double in all[expert] / sum }
        #expect(Self.isNear(plain.weights, shares))
        let normalized = Self.choose(try Self.router(.softmax, used: 3) { $0.normalization = 0 }, Self.logits)
        let ofChosen = Self.choose(try Self.router(.softmaxOfChosen, used: 3), Self.logits)
        let chosen: Double = all[5] + all[2] + all[3]
        let expected = [5, 2, 3].map { (expert: Int) -> Double in all[expert] / chosen }
        #expect(normalized.experts == plain.experts && ofChosen.experts == plain.experts)
        #expect(Self.isNear(normalized.weights, expected) && Self.isNear(ofChosen.weights, expected))
    }

    @Test("A bias changes which experts are chosen and not what they weigh; a scale what they weigh")
    func bias() throws {
        var bias = [Float](repeating: 0, count: 8)
        bias[6] = 5
        let found = Self.choose(try Self.router(.sigmoid, used: 2) { $0.scale = 2.5 }, Self.logits, bias: bias)
        #expect(found.experts == [6, 5])
        let expected = [6, 5].map { (expert: Int) -> Double in
            let logit = Double(Self.logits[expert])
            return 2.5 / (1 + exp(-logit))
        }
        #expect(Self.isNear(found.weights, expected))
    }

    @Test("Groups are chosen by their two best experts, and experts from these groups only")
    func groups() throws {
        let router = try Self.router(.sigmoid, used: 3) { $0.groups = Router.Groups(count: 4, used: 2) }
        let found = Self.choose(router, [0.5, -1, 2, 1.5, 0, 3, -2, 1])
        let sigmoid = Self.logits.map { (logit: Float) -> Double in 1 / (1 + exp(-Double(logit))) }
        let sums = (0..<4).map { (group: Int) -> Double in sigmoid[2 * group] + sigmoid[2 * group + 1] }
        let open = sums.indices.sorted { sums[$0] > sums[$1] }.prefix(2)
        let expected = sigmoid.indices.filter { open.contains($0 / 2) }.sorted { sigmoid[$0] > sigmoid[$1] }.prefix(3)
        #expect(found.experts == Array(expected))
    }

    @Test("Of equal scores the expert with the smaller index comes first", arguments: [1, 3, 8])
    func ties(used: Int) throws {
        let found = Self.choose(try Self.router(.softmax, used: used), [Float](repeating: 0.25, count: 8))
        #expect(found.experts == Array(0..<used))
    }

    @Test("Descriptions and kernels agree on the largest heads, the longest filters, the length of pages and the types")
    func limits() {
        #expect(AttentionBlock.largestHead == Int(LEAP_HEAD_DIM_MAX))
        #expect(ShortConvolutionBlock.maxTaps == Int(LEAP_CONV_TAPS_MAX))
        #expect(StatePage.length == Int(LEAP_KV_PAGE))
        for id in 0..<UInt32(64) {
            let type = GGUFTensorType(rawValue: id)
            #expect(type.isComputable == (leap_activation_kind(Int32(id)) >= 0), "\(type)")
        }
    }
}
