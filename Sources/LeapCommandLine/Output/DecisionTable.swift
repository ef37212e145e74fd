import Foundation
import LeapBase
import LeapChat

/// Answers with their probabilities as bars, for a terminal.
struct DecisionTable {
    /// A line of the table.
    struct Line: Equatable {
        let text: String
        let style: TextStyle
    }

    private let decisions: Decisions
    private let columns: Int

    /// Columns of the longest bar.
    private static let maxBar = 40
    /// Columns of a probability with the spaces around it.
    private static let numberColumns = 10

    /// Creates a table.
    ///
    /// - Parameter columns: those of the terminal.
    init(_ decisions: Decisions, columns: Int) {
        self.decisions = decisions
        self.columns = columns
    }

    /// The lines; what comes from outside is not made printable yet.
    var lines: [Line] {
        var lines: [Line] = []
        let names = decisions.flatMap(\.options).map { TextWidth.of($0) }
        let nameColumns = min(names.max() ?? 0, max(8, columns / 3))
        let bar = max(4, min(Self.maxBar, columns - nameColumns - Self.numberColumns - 2))
        for answer in decisions {
            if !lines.isEmpty { lines.append(Line(text: "", style: [])) }
            lines.append(Line(text: Self.head(answer), style: .bold))
            for (index, (option, share)) in zip(answer.options, answer.probabilities).enumerated() {
                let name = Self.fitted(option, nameColumns)
                let number = String(format: "%.4f", share)
                let drawn = Self.bar(share, columns: bar)
                lines.append(
                    Line(
                        text: "  \(name)  \(number)  \(drawn)", style: index == answer.index ? [] : .dim))
            }
        }
        if decisions.first?.reading == .readout {
            lines.append(Line(text: "", style: []))
            lines.append(
                Line(text: "readout of a chat model: the probabilities are not calibrated", style: .dim))
        }
        return lines
    }

    private static func head(_ answer: DecisionAnswer) -> String {
        switch answer.kind {
        case .score:
            "\(answer.name)  \(String(format: "%.2f", answer.score)) of \(answer.options.count - 1)"
        default: "\(answer.name)  \(answer.choice)"
        }
    }

    /// A bar in steps of an eighth of a column.
    static func bar(_ share: Double, columns: Int) -> String {
        let eighths = Int((max(0, min(1, share)) * Double(columns * 8)).rounded())
        let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + last
    }

    /// The text with spaces behind it, or cut, to take as many columns.
    private static func fitted(_ text: String, _ columns: Int) -> String {
        var text = text
        if TextWidth.of(text) > columns {
            while !text.isEmpty, TextWidth.of(text) > columns - 1 { text.removeLast() }
            text += "…"
        }
        return text + String(repeating: " ", count: max(0, columns - TextWidth.of(text)))
    }
}
