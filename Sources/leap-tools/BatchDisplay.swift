import Foundation
import LeapBase
import LeapCommandLine
import LeapServing

/// Tells on standard error how far a batch is.
final class BatchDisplay: Sendable {
    /// Seconds between lines, on a terminal and elsewhere.
    private static let interval = Terminal.errorIsTerminal ? 0.2 : 10.0

    private let start = ContinuousClock.now
    private let lastShown = Locked(ContinuousClock.now)

    func show(_ progress: BatchRun.Progress) {
        if progress.answered == 0, progress.earlier > 0 {
            Terminal.note("\(progress.earlier) of \(progress.total) lines were answered before")
        }
        let isDue = lastShown.withLock { last in
            guard ContinuousClock.now - last > .seconds(Self.interval) else { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        if Terminal.errorIsTerminal {
            Terminal.draw("\r\(text(progress))\u{1B}[K")
        } else {
            Terminal.note(text(progress))
        }
    }

    func end(_ progress: BatchRun.Progress, isInterrupted: Bool) {
        if Terminal.errorIsTerminal { Terminal.draw("\r\u{1B}[K") }
        Terminal.note(text(progress) + (isInterrupted ? "; stopped: the same command goes on" : ""))
        if let fault = progress.firstFault {
            Terminal.note("\(progress.failed == 1 ? "the error" : "the first error"): \(fault)")
        }
    }

    private func text(_ progress: BatchRun.Progress) -> String {
        let seconds = max((ContinuousClock.now - start) / .seconds(1), 0.001)
        let failed = progress.failed > 0 ? ", \(progress.failed) with errors" : ""
        let rate = String(format: "%.1f", Double(progress.answered) / seconds)
        return "\(progress.earlier + progress.answered) of \(progress.total) lines\(failed), \(rate) lines/s"
    }
}
