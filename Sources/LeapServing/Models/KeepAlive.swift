import LeapJSON

/// The time for which a model stays in memory after its last request.
package struct KeepAlive: Sendable, Hashable {
    /// The time; nil for no limit.
    package var duration: Duration?

    package init(duration: Duration?) { self.duration = duration }

    /// No time: the model is unloaded at once.
    static let zero = KeepAlive(duration: .zero)
}

extension KeepAlive {
    /// The seconds from which a time is without limit.
    private static let longestSeconds = 1e10

    /// Reads `keep_alive` as Ollama's requests have it: seconds, or a duration such as `5m` or `1h30m`; negative ones
    /// are for ever.
    ///
    /// - Returns: nil where the field is missing, null or empty.
    /// - Throws: ``APIError`` for anything else.
    static func read(_ fields: inout RequestFields) throws(APIError) -> KeepAlive? {
        guard let value = fields.value("keep_alive"), value != "" else { return nil }
        guard let count = value.double ?? value.string.flatMap({ Self.seconds($0[...]) }) else {
            throw .invalid(
                "'keep_alive' is \(value.string.map { "'\(HeaderText.safe($0))'" } ?? value.kind); expected seconds, or a duration such as 5m or 1h30m; -1 for ever",
                "keep_alive")
        }
        guard count >= 0, count < longestSeconds else { return KeepAlive(duration: nil) }
        return KeepAlive(duration: .seconds(count))
    }

    /// The seconds of a duration as Go writes them.
    private static func seconds(_ text: Substring) -> Double? {
        if let plain = DecimalText.number(text) { return plain }
        var rest = text
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !("0"..."9").contains($0) && $0 != "." }
            rest = rest.dropFirst(unit.count)
            guard let number = Double(digits), let scale = scales[String(unit)] else { return nil }
            sum += number * scale
        }
        return isNegative ? -sum : sum
    }

    private static let scales = ["ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600]
}
