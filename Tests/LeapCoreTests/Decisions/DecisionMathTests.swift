import Testing

@testable import LeapChat

/// The arithmetic from scores to answers.
struct DecisionMathTests {
    @Test("Softmax is that of double precision, also of large scores, and temperatures flatten it")
    func softmax() {
        let found = DecisionMath.softmax([1000, 1001, 999])
        #expect(abs(found[1] - 0.665240955774822) < 1e-15 && abs(found.reduce(0, +) - 1) < 1e-15)
        #expect(abs(DecisionMath.softmax([0, 2], temperature: 2)[1] - 0.7310585786300049) < 1e-15)
        #expect(abs(DecisionMath.logSumExp([0, 0]) - 0.6931471805599453) < 1e-15)
    }

    @Test("Confidence is 0 for equal options, 1 for certain ones, and between in between")
    func confidence() {
        #expect(DecisionMath.choiceConfidence([0.25, 0.25, 0.25, 0.25]) == 0)
        #expect(DecisionMath.choiceConfidence([0, 1]) == 1 && DecisionMath.choiceConfidence([1]) == 1)
        #expect(abs(DecisionMath.choiceConfidence([0.75, 0.25]) - 0.5) < 1e-15)
        #expect(DecisionMath.scoreConfidence([0, 0, 1]) == 1 && DecisionMath.scoreConfidence([1]) == 1)
        // The distances from level 1 are 1, 0, 1; of equal probabilities they are 2/3 in the mean.
        #expect(abs(DecisionMath.scoreConfidence([0.1, 0.8, 0.1]) - 0.7) < 1e-15)
    }

    @Test("Of equal options the first one is chosen, and a score is the expected level")
    func answers() {
        let choice = DecisionAnswer(
            .choice("?", ["a", "b", "c"]), probabilities: [0.2, 0.4, 0.4], reading: .trained)
        #expect(choice.choice == "b" && choice.index == 1 && choice.probability == 0.4)
        #expect(choice.probability(of: "c") == 0.4 && choice.probability(of: "d") == nil && !choice.isYes)
        let score = DecisionAnswer(
            .score("?", levels: ["low", "middle", "high"]), probabilities: [0.25, 0.25, 0.5], reading: .readout)
        #expect(score.score == 1.25 && score.choice == "high")
        let yes = DecisionAnswer(.yesNo("?"), probabilities: [0.5, 0.5], reading: .trained)
        #expect(yes.isYes && yes.choice == "yes" && yes.confidence == 0)
    }

    @Test("Temperatures are found by bucket, then by type")
    func buckets() {
        let fitted = DecisionTemperatures(["choice.3_5": 2, "choice": 3, "noul.small": 4])
        #expect(fitted.temperature(of: .choice([]), count: 4) == 2)
        #expect(fitted.temperature(of: .choice([]), count: 11) == 3)
        #expect(fitted.temperature(of: .score([]), count: 3) == nil)
        #expect(fitted.temperature(of: .yesNo(.init()), count: 2, isLev: true) == 4)
        #expect(
            [2, 3, 5, 6, 10, 11].map { DecisionTemperatures.bucket($0) } == ["2", "3_5", "3_5", "6_10", "6_10", "11"])
        #expect(
            [8, 9, 26, 27].map { DecisionTemperatures.bucket($0, isLev: true) } == ["small", "mid", "mid", "large"])
    }
}
