#if Server
    import CoreMetrics
    import LeapBase

    /// A counter, a gauge or a histogram.
    final class Figure: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
        enum Shape {
            case counter
            case gauge
            /// Upper bounds, the smallest first.
            case histogram([Double])
        }

        /// Bounds for times in seconds, from a token's to a long answer's.
        static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
        /// Bounds for anything else.
        static let counts = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

        private struct State {
            /// The value, or the sum of a histogram.
            var value = 0.0
            var count: UInt64 = 0
            /// The number of values that each bound holds and the one before does not.
            var buckets: [UInt64] = []
        }

        private let shape: Shape
        private let state: Locked<State>

        init(_ shape: Shape) {
            self.shape = shape
            var state = State()
            if case .histogram(let bounds) = shape { state.buckets = [UInt64](repeating: 0, count: bounds.count) }
            self.state = Locked(state)
        }

        /// The kind, in the words of Prometheus.
        var kind: String {
            switch shape {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }

        /// Its lines.
        func lines(_ key: FigureRegistry.Key) -> String {
            let state = state.withLock { $0 }
            guard case .histogram(let bounds) = shape else {
                return "\(key.name)\(key.labels) \(PrometheusText.number(state.value))\n"
            }
            var text = ""
            var total: UInt64 = 0
            let labels = key.labels.isEmpty ? "{" : key.labels.dropLast() + ","
            for (bound, count) in zip(bounds, state.buckets) {
                total += count
                text += "\(key.name)_bucket\(labels)le=\"\(PrometheusText.number(bound))\"} \(total)\n"
            }
            text += "\(key.name)_bucket\(labels)le=\"+Inf\"} \(state.count)\n"
            text += "\(key.name)_sum\(key.labels) \(PrometheusText.number(state.value))\n"
            return text + "\(key.name)_count\(key.labels) \(state.count)\n"
        }

        // MARK: What is reported

        func increment(by amount: Int64) { increment(by: Double(amount)) }
        func increment(by amount: Double) { state.withLock { $0.value += amount } }
        func decrement(by amount: Double) { increment(by: -amount) }
        func set(_ value: Int64) { set(Double(value)) }
        func set(_ value: Double) { state.withLock { $0.value = value } }
        func reset() { set(0.0) }
        func record(_ value: Int64) { record(Double(value)) }
        func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

        func record(_ value: Double) {
            guard case .histogram(let bounds) = shape else { return set(value) }
            state.withLock { state in
                state.value += value
                state.count += 1
                if let index = bounds.firstIndex(where: { value <= $0 }) { state.buckets[index] += 1 }
            }
        }
    }
#endif
