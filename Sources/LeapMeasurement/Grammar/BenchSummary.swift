extension SchemaBench {
    /// The results of many files together.
    package struct Summary: Sendable {
        private var files = 0
        private var right = 0
        private var refused = 0
        private var validRejected = 0
        private var invalidAccepted = 0
        private var masks: [Double] = []
        private var compileTimes: [Double] = []

        package init() {}

        package mutating func add(_ row: Row) {
            files += 1
            guard row.compiled else {
                refused += 1
                return
            }
            if row.isRight { right += 1 }
            if row.tests.contains(where: { $0.valid && !$0.accepted }) { validRejected += 1 }
            if row.tests.contains(where: { !$0.valid && $0.accepted }) { invalidAccepted += 1 }
            masks += row.tests.filter(\.valid).flatMap(\.masks)
            compileTimes.append(row.compileTime)
        }

        /// One line for people.
        package var text: String {
            let masks = masks.sorted()
            let times = compileTimes.sorted()
            func at(_ values: [Double], _ share: Double) -> String {
                values.isEmpty ? "–" : Self.short(values[min(values.count - 1, Int(Double(values.count) * share))])
            }
            let mean = masks.isEmpty ? "–" : Self.short(masks.reduce(0, +) / Double(masks.count))
            return "\(right) of \(files) pass, refused \(refused), valid rejected \(validRejected), "
                + "invalid accepted \(invalidAccepted); mask µs mean \(mean), p50 \(at(masks, 0.5)), "
                + "p99 \(at(masks, 0.99)), max \(at(masks, 1)); compile µs p50 \(at(times, 0.5)), p99 \(at(times, 0.99))"
        }

        private static func short(_ value: Double) -> String { "\(Double(Int(value * 10 + 0.5)) / 10)" }
    }
}
