#if Server
    import CoreMetrics
    import LeapBase

    /// A backend of swift-metrics that writes its figures in Prometheus' text format.
    ///
    /// All that the server and the libraries below it report through swift-metrics is kept here, each figure once for
    /// each set of its labels.
    final class FigureRegistry: MetricsFactory {
        /// The maximum number of figures: labels that come from outside must not use up the memory.
        static let maxFigures = 4096

        struct Key: Hashable, Comparable {
            let name: String
            /// `{a="b",c="d"}`, or nothing.
            let labels: String

            static func < (a: Key, b: Key) -> Bool { (a.name, a.labels) < (b.name, b.labels) }
        }

        private let figures = Locked<[Key: Figure]>([:])

        /// Everything as text, by name.
        var text: String {
            var text = ""
            var last: String?
            for (key, figure) in figures.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
                if key.name != last { text += "# TYPE \(key.name) \(figure.kind)\n" }
                last = key.name
                text += figure.lines(key)
            }
            return text
        }

        /// Returns the figure of a name and labels; one that is not written where there are too many.
        private func figure(_ label: String, _ dimensions: [(String, String)], _ make: () -> Figure) -> Figure {
            let key = Key(name: PrometheusText.name(label), labels: PrometheusText.labels(dimensions))
            return figures.withLock { figures in
                if let figure = figures[key] { return figure }
                let figure = make()
                if figures.count < Self.maxFigures { figures[key] = figure }
                return figure
            }
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            figure(label, dimensions) { Figure(.counter) }
        }

        func makeFloatingPointCounter(
            label: String, dimensions: [(String, String)]
        ) -> any FloatingPointCounterHandler {
            figure(label, dimensions) { Figure(.counter) }
        }

        func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
            figure(label, dimensions) { Figure(.gauge) }
        }

        func makeRecorder(
            label: String, dimensions: [(String, String)], aggregate: Bool
        ) -> any RecorderHandler {
            figure(label, dimensions) { Figure(aggregate ? .histogram(Figure.counts) : .gauge) }
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            figure(label, dimensions) { Figure(.histogram(Figure.seconds)) }
        }

        // Figures stay until the process ends, as Prometheus expects of totals.
        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
        func destroyMeter(_ handler: any MeterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }
#endif
