import Foundation
import LeapBase
import LeapCore
import LeapGGUF
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat

/// Temperatures that are fitted, what they are measured by, and the file that keeps them.
@Suite(.inTurns)
struct CalibrationTests {
    private static func answers(
        _ kind: Question.Kind, scores: [Double], right: Int, of count: Int
    ) -> [LabelledAnswer] {
        (0..<count).map { LabelledAnswer(kind, DecisionCurve(scores: scores), label: $0 < right ? 0 : 1) }
    }

    private static let pair = Question.Kind.choice(["a", "b"])

    @Test("The temperature is the one at which the likeliest probability is the share that was right")
    func fit() throws {
        // 1 / (1 + e^(-2/T)) = 3/4 at T = 2 / ln 3.
        let fits = TemperatureFit.all(Self.answers(Self.pair, scores: [2, 0], right: 30, of: 40))
        #expect(fits.map(\.key) == ["choice", "choice.2"] && fits.map(\.count) == [40, 40])
        for fit in fits {
            #expect(abs(fit.temperature - 1.8204784532536746) < 1e-5 && !fit.isAtLimit)
        }
        // Wrong more often than not: no temperature is hot enough. Always right: none is cold enough.
        let wrong = TemperatureFit.all(Self.answers(Self.pair, scores: [2, 0], right: 10, of: 40))
        #expect(wrong[0].isAtLimit && wrong[0].temperature > 19.9)
        let right = TemperatureFit.all(Self.answers(Self.pair, scores: [2, 0], right: 40, of: 40))
        #expect(right[0].isAtLimit && right[0].temperature < 0.0501)
    }

    @Test("Types and buckets have temperatures of their own, where they have 20 answers")
    func buckets() {
        let triple = Question.Kind.choice(["a", "b", "c"])
        let all =
            Self.answers(Self.pair, scores: [2, 0], right: 15, of: 20)
            + Self.answers(triple, scores: [4, 0, -100], right: 15, of: 20)
            + Self.answers(.yesNo(.init()), scores: [1, 0], right: 10, of: 19)
        let fits = TemperatureFit.all(all)
        #expect(fits.map(\.key) == ["choice", "choice.2", "choice.3_5"] && fits.map(\.count) == [40, 20, 20])
        // Twice the scores, twice the temperature; that of both lies between.
        #expect(abs(fits[2].temperature - 2 * fits[1].temperature) < 1e-5)
        #expect(fits[1].temperature < fits[0].temperature && fits[0].temperature < fits[2].temperature)
        #expect(TemperatureFit.all(all, isLev: true).map(\.key) == ["choice", "choice.small"])
        let found = TemperatureFit.temperatures(fits)
        #expect(all.reliability(at: found).logLoss < all.reliability.logLoss)
        // One option is certain at every temperature.
        #expect(TemperatureFit.all(Self.answers(.choice(["a"]), scores: [1], right: 30, of: 30)).isEmpty)
    }

    @Test("Calibration error, Brier score and log loss are those of their formulas")
    func reliability() {
        let found = Reliability([([0.9, 0.1], 0), ([0.9, 0.1], 1), ([0.25, 0.75], 1), ([0.4, 0.6], 1)])
        #expect(found.count == 4 && found.accuracy == 0.75)
        #expect(found.bins.map(\.count) == [0, 0, 0, 0, 0, 0, 1, 1, 0, 2])
        #expect(found.bins[9].accuracy == 0.5 && abs(found.bins[9].confidence - 0.9) < 1e-15)
        // |1.8 - 1| / 4 + |0.75 - 1| / 4 + |0.6 - 1| / 4
        #expect(abs(found.calibrationError - 0.3625) < 1e-12)
        // (0.02 + 1.62 + 0.125 + 0.32) / 4
        #expect(abs(found.brier - 0.52125) < 1e-12)
        #expect(abs(found.logLoss + (log(0.9) + log(0.1) + log(0.75) + log(0.6)) / 4) < 1e-12)
        #expect(Reliability([([1, 0], 0)]).calibrationError == 0)
        #expect(Reliability([]).count == 0 && Reliability([]).brier == 0)
    }

    @Test("A picture has a curve before and one after, and a title that cannot end its text")
    func picture() throws {
        let before = Reliability([([0.9, 0.1], 0), ([0.9, 0.1], 1)])
        let after = Reliability([([0.5, 0.5], 0), ([0.5, 0.5], 1)])
        let svg = ReliabilityPicture.svg(before: before, after: after, title: "a<b>&")
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains("a&lt;b&gt;&amp;<"))
        #expect(svg.components(separatedBy: "<polyline ").count == 3 && !svg.contains("nan"))
        #expect(svg.contains("before: ECE 0.400") && svg.contains("after: ECE 0.000"))
        // Confidence 0.9 and accuracy 0.5 of a square of 320 at 48.
        #expect(svg.contains("cx=\"336.0\" cy=\"208.0\""))
    }

    @Test("A calibration is what was written, and other files are refused with the field")
    func file() throws {
        let folder = try TemporaryFolder()
        let none = folder.url.appendingPathComponent("none.json")
        let calibration = DecisionCalibration(
            modelId: "m",
            temperatures: [
                .readout: DecisionTemperatures(["choice": 1.5, "choice.3_5": 0.1]),
                .trained: DecisionTemperatures(["noul": 2]),
            ])
        let path = try folder.write("a.json", Data(JSONWriter.bytes(calibration.json, style: .file)))
        #expect(try DecisionCalibration(contentsOf: URL(fileURLWithPath: path)) == calibration)
        #expect(try DecisionCalibration(path: none.path) == nil)
        let start = #"{"format": "leap-decision-calibration", "version": 1"#
        for (text, words) in [
            ("{", "not JSON"), ("{}", "format"), (start + "}", "temperatures"),
            (start + #", "temperatures": {"guess": {}}}"#, "temperatures.guess"),
            (start + #", "temperatures": {"trained": {"noul": 0}}}"#, "temperatures.trained.noul"),
        ] {
            let path = try folder.write("b.json", Data(text.utf8))
            let error = #expect(throws: LeapDecisionException.self) {
                try DecisionCalibration(contentsOf: URL(fileURLWithPath: path))
            }
            #expect(error?.message.contains(words) == true && error?.message.contains(path) == true)
        }
        #expect(throws: LeapDecisionException.self) {
            try DecisionCalibration(contentsOf: none)
        }
    }

    @Test("A model that is loaded uses the calibration beside it, for its kind of reading alone")
    func sidecar() async throws {
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/lfm2.gguf")
        let url = try DecisionModelFile.write(fixture.path, type: "openjev", keys: ["temperature.choice": .float32(4)])
        let sidecar = URL(fileURLWithPath: url.path + DecisionCalibration.suffix)
        defer { try? FileManager.default.removeItem(at: sidecar) }
        let question = Question.choice("Which team?", ["billing", "support", "sales"], name: "team")
        func ratio(_ runner: any ModelRunner, _ options: DecisionOptions = DecisionOptions()) async throws -> Double {
            let found = try await runner.decide([question], about: "Once", options: options)[0].probabilities
            return log(found[0] / found[1])
        }
        let plain = try await Leap.load(url: url)
        let one = try await ratio(plain, DecisionOptions(temperature: 1))
        let readout = try await ratio(plain, DecisionOptions(rotations: 1, usesReadout: true))
        #expect(abs(try await ratio(plain) - one / 4) < 1e-9)
        let calibration = DecisionCalibration(
            modelId: "m", temperatures: [.trained: DecisionTemperatures(["choice.3_5": 2])])
        try Data(JSONWriter.bytes(calibration.json)).write(to: sidecar)
        let calibrated = try await Leap.load(url: url)
        #expect(abs(try await ratio(calibrated) - one / 2) < 1e-9)
        let table = DecisionTemperatures(["choice": 8])
        #expect(abs(try await ratio(calibrated, DecisionOptions(temperatures: table)) - one / 8) < 1e-9)
        #expect(try await ratio(calibrated, DecisionOptions(rotations: 1, usesReadout: true)) == readout)

        try Data("{}".utf8).write(to: sidecar)
        let broken = try await Leap.load(url: url)
        let error = await #expect(throws: LeapDecisionException.self) { try await ratio(broken) }
        #expect(error?.field == "calibration" && error?.message.contains(sidecar.path) == true)
    }

    @Test("The curve of a question has the bits of its answer at each temperature", arguments: ["openjev", "lev"])
    func curves(type: String) async throws {
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/qwen35.gguf")
        let runner = try await Leap.load(url: try DecisionModelFile.write(fixture.path, type: type))
        let questions = [
            Question.choice("Which team?", ["billing", "support", "sales"]), .yesNo("Is this spam?"),
            .score("How urgent?", levels: ["not", "soon", "now"]),
        ]
        let curves = try await runner.decisionCurves(questions, about: "Once", options: DecisionOptions())
        #expect(curves.map(\.temperature) == [1, 1, 1])
        for temperature in [0.5, 1, 3] {
            let found = try await runner.decide(
                questions, about: "Once", options: DecisionOptions(temperature: temperature))
            #expect(curves.map { $0.probabilities(temperature) } == found.map(\.probabilities))
        }
    }
}
