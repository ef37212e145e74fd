import LeapBase
import LeapCore

/// A sign of life on standard error while a prompt is computed, which goes before the answer comes.
///
/// Nothing is drawn for a prompt that takes less than ``delay``, nor where standard error is no terminal that moves its
/// cursor.
final class PromptDisplay: Sendable {
    /// The figures of a prompt that is being computed.
    struct Figures {
        /// Tokens that were computed, or were there already.
        var done = 0
        /// All tokens; nil where that is not known.
        var total: Int?
        /// Tokens that are computed in a second; nil before that is known.
        var rate: Double?

        /// The line for a terminal of this width.
        func line(width: Int) -> String {
            var figures = [StatusLine.Figure("reading the prompt", weight: 2)]
            if let total, total > 0 {
                figures.append(.init("\(min(100, done * 100 / total))%", weight: 9))
                figures.append(.init("\(min(done, total)) of \(total) tokens", weight: 5))
            } else if done > 0 {
                figures.append(.init("\(done) tokens", weight: 9))
            }
            if let rate, rate > 0 {
                figures.append(.init("\(String.rounded(rate)) tokens/s", weight: 4))
                let left = total.map { (Double(max(0, $0 - done)) / rate).rounded(.up) } ?? .infinity
                if left < 360_000 { figures.append(.init("\(StatusLine.duration(Int(left))) left", weight: 7)) }
            }
            return StatusLine.of(figures, width: width)
        }
    }

    private static let delay = Duration.milliseconds(700)
    private static let interval = Duration.milliseconds(200)

    private struct State {
        var isOver = false
        var isDrawn = false
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Begins to watch a model.
    ///
    /// - Parameter total: counts the tokens of the prompt; called where the prompt takes long.
    init(_ runner: any ModelRunner, total: @escaping @Sendable () -> Int?) {
        guard Terminal.errorIsTerminal, TextStyle.movesCursor else { return }
        let start = runner.statistics
        let task = Task.detached { [weak self] in
            try? await Task.sleep(for: Self.delay)
            guard !Task.isCancelled else { return }
            var figures = Figures()
            figures.total = total().flatMap { $0 <= runner.contextSize ? $0 : nil }
            var first: (time: ContinuousClock.Instant, computed: Int)?
            while !Task.isCancelled {
                let now = runner.statistics
                let computed = now.computedPromptTokens - start.computedPromptTokens
                figures.done = computed + now.cachedPromptTokens - start.cachedPromptTokens
                // The speed is that of what is computed while this looks: what came before it is no part of it.
                if let first, computed > first.computed {
                    let seconds = (ContinuousClock.now - first.time) / .seconds(1)
                    figures.rate = Double(computed - first.computed) / seconds
                } else if first == nil {
                    first = (.now, computed)
                }
                self?.draw(figures)
                try? await Task.sleep(for: Self.interval)
            }
        }
        state.withLock { $0.task = task }
    }

    deinit { end() }

    /// Erases the line, and draws none any more.
    func end() {
        state.withLock { state in
            state.task?.cancel()
            if state.isDrawn { Terminal.draw("\r\u{1B}[K") }
            state = State(isOver: true)
        }
    }

    private func draw(_ figures: Figures) {
        let line = figures.line(width: Terminal.errorWidth - 1)
        state.withLock { state in
            guard !state.isOver else { return }
            state.isDrawn = true
            Terminal.draw("\r\(line)\u{1B}[K")
        }
    }
}
