import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapSDK

/// Fits temperatures to labelled states, shows how reliable answers are before and after, and writes them.
struct CalibrationRun: Sendable {
    /// The maximum number of bytes of a line.
    private static let maxLineBytes = 32 << 20

    let runner: any ModelRunner
    let questions: [Question]
    let options: DecisionOptions
    /// Lines at work at a time.
    let parallel: Int

    /// Reads the labelled lines of a file.
    ///
    /// - Throws: `CommandError` that names the file and the line.
    static func lines(_ path: String, _ questions: [Question]) throws -> [LabelledLine] {
        do {
            let file = try OpenFile((path as NSString).expandingTildeInPath, .reading)
            guard try file.status().isRegular else {
                throw CommandError("--calibrate \(ShownText.of(path, limit: 4096)) is not a regular file")
            }
            let reader = LineReader(file, maxLineBytes: maxLineBytes)
            var lines: [LabelledLine] = []
            while let line = try reader.nextText() { lines.append(try LabelledLine(line, questions)) }
            return lines
        } catch let error as FileSystemError {
            throw CommandError(batch: error)
        } catch let error as CommandError {
            throw CommandError("--calibrate \(ShownText.of(path, limit: 4096)): \(error.message)")
        }
    }

    /// Answers all lines, fits temperatures and writes them.
    ///
    /// - Parameters:
    ///   - output: the file to write.
    ///   - picture: the file for a picture of the curves; nil for none.
    func run(_ lines: [LabelledLine], output: String, picture: String?) async throws {
        let answers = try await answers(lines)
        let capabilities = runner.decisionCapabilities
        let isLev = capabilities?.type == "lev" && !options.usesReadout
        let reading: DecisionAnswer.Reading =
            options.usesReadout ? .readout : capabilities?.reading ?? .readout
        let fits = TemperatureFit.all(answers, isLev: isLev)
        guard !fits.isEmpty else {
            throw CommandError(
                "there are \(answers.count) labelled answers, and no type of question has \(TemperatureFit.minimumCount): add lines to --calibrate"
            )
        }
        let temperatures = TemperatureFit.temperatures(fits)
        let (before, after) = (answers.reliability, answers.reliability(at: temperatures, isLev: isLev))
        for line in CalibrationReport(fits: fits, before: before, after: after).lines { Terminal.writeLine(line) }
        // Temperatures of the other reading stay.
        var calibration = try DecisionCalibration(path: output) ?? DecisionCalibration(modelId: runner.modelId)
        calibration.modelId = runner.modelId
        calibration.temperatures[reading] = temperatures
        try Self.write(JSONWriter.string(calibration.json, style: .file) + "\n", output)
        if let picture {
            try Self.write(ReliabilityPicture.svg(before: before, after: after, title: runner.modelId), picture)
        }
    }

    private static func write(_ text: String, _ path: String) throws {
        do {
            try FileSystem.publish(Array(text.utf8), at: path, durable: false)
        } catch {
            throw CommandError(
                "cannot write \(ShownText.of(path, limit: 4096)): \(error.reason); name another file with --into")
        }
        Terminal.note("wrote \(path)")
    }

    private func answers(_ lines: [LabelledLine]) async throws -> [LabelledAnswer] {
        var found: [LabelledAnswer] = []
        for start in stride(from: 0, to: lines.count, by: parallel) {
            let part = lines[start..<min(start + parallel, lines.count)].filter { !$0.labels.isEmpty }
            found += try await withThrowingTaskGroup(of: (Int, [LabelledAnswer]).self) { group in
                for (index, line) in part.enumerated() { group.addTask { (index, try await answers(line)) } }
                var parts: [Int: [LabelledAnswer]] = [:]
                for try await (index, answers) in group { parts[index] = answers }
                return part.indices.flatMap { parts[$0] ?? [] }
            }
        }
        return found
    }

    private func answers(_ line: LabelledLine) async throws -> [LabelledAnswer] {
        do {
            let curves = try await runner.decisionCurves(
                line.labels.map(\.question), about: line.state, options: options)
            return zip(line.labels, curves).map { LabelledAnswer($0.question.kind, $1, label: $0.label) }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CommandError("line \(line.number): \(error.sentence)")
        }
    }
}

/// The text about a calibration.
struct CalibrationReport {
    let fits: [TemperatureFit]
    let before: Reliability
    let after: Reliability

    /// Temperatures by key, then measures and bins, with tabs between columns.
    var lines: [String] {
        var lines = ["key\tanswers\ttemperature"]
        for fit in fits {
            lines.append(
                "\(fit.key)\t\(fit.count)\t\(Self.text(fit.temperature))\(fit.isAtLimit ? "\tat the limit" : "")")
        }
        lines += ["", "measure\tbefore\tafter"]
        for (name, measure) in [
            ("ECE", \Reliability.calibrationError), ("Brier", \Reliability.brier), ("log loss", \Reliability.logLoss),
            ("accuracy", \Reliability.accuracy),
        ] {
            lines.append("\(name)\t\(Self.text(before[keyPath: measure]))\t\(Self.text(after[keyPath: measure]))")
        }
        lines += ["", "probability\tbefore: answers\tmean\tright\tafter: answers\tmean\tright"]
        for (index, (old, new)) in zip(before.bins, after.bins).enumerated() where old.count + new.count > 0 {
            let range = String(format: "%.1f-%.1f", Double(index) / 10, Double(index + 1) / 10)
            lines.append(([range] + Self.cells(old) + Self.cells(new)).joined(separator: "\t"))
        }
        return lines
    }

    private static func cells(_ bin: Reliability.Bin) -> [String] {
        bin.count == 0 ? ["0", "-", "-"] : ["\(bin.count)", text(bin.confidence), text(bin.accuracy)]
    }

    private static func text(_ value: Double) -> String { String(format: "%.4f", value) }
}
