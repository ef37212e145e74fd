import Foundation
package import LeapBase

/// Tells on standard error how far a run over the lines of a file is: a bar on a terminal, now and then a line elsewhere.
package final class LineProgress: Sendable {
    /// Seconds between two.
    private static let interval = Terminal.errorIsTerminal ? 0.2 : 10.0
    /// Columns of the bar.
    private static let barColumns = 24

    private let start = ContinuousClock.now
    private let lastShown = Locked(ContinuousClock.now)

    package init() {}

    /// Shows the progress, if it was not shown just before.
    package func show(_ progress: LineRun.Progress) {
        if progress.answered == 0, progress.earlier > 0 {
            Terminal.note("\(progress.earlier) of \(progress.total) lines were answered before")
        }
        let isDue = lastShown.withLock { last in
            guard ContinuousClock.now - last > .seconds(Self.interval) else { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        guard Terminal.errorIsTerminal else { return Terminal.note(text(progress)) }
        let done = Double(progress.earlier + progress.answered) / Double(max(1, progress.total))
        let bar = DecisionTable.bar(done, columns: Self.barColumns).padded(to: Self.barColumns)
        Terminal.draw(
            "\r\(StatusLine.of([.init(bar, weight: 0), .init(text(progress), weight: 1)], width: Terminal.errorWidth - 1))\u{1B}[K"
        )
    }

    /// Shows the end of a run, and the first error among its answers.
    package func end(_ progress: LineRun.Progress, isInterrupted: Bool) {
        if Terminal.errorIsTerminal { Terminal.draw("\r\u{1B}[K") }
        Terminal.note(text(progress) + (isInterrupted ? "; stopped: the same command goes on" : ""))
        if let fault = progress.firstFault {
            Terminal.note("\(progress.failed == 1 ? "the error" : "the first error"): \(fault)")
        }
    }

    private func text(_ progress: LineRun.Progress) -> String {
        let seconds = max((ContinuousClock.now - start) / .seconds(1), 0.001)
        let failed = progress.failed > 0 ? ", \(progress.failed) with errors" : ""
        let rate = String(format: "%.1f", Double(progress.answered) / seconds)
        return "\(progress.earlier + progress.answered) of \(progress.total) lines\(failed), \(rate) lines/s"
    }
}
