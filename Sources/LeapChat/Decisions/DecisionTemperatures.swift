/// Temperatures by the type of a question and its number of options; softmax divides scores by them.
public struct DecisionTemperatures: Sendable, Hashable, Codable {
    /// The temperatures by key: `noul`, `choice` or `score`, alone or with a bucket, as in `choice.3_5`.
    ///
    /// Buckets are `2` (at most 2 options), `3_5`, `6_10` and `11`.
    /// Models of the type `lev` have `small` (at most 8), `mid` (at most 26) and `large`.
    public var values: [String: Double]

    /// Creates temperatures.
    public init(_ values: [String: Double] = [:]) { self.values = values }

    /// Returns the bucket of a number of options.
    package static func bucket(_ count: Int, isLev: Bool = false) -> String {
        if isLev { return count <= 8 ? "small" : count <= 26 ? "mid" : "large" }
        return count <= 2 ? "2" : count <= 5 ? "3_5" : count <= 10 ? "6_10" : "11"
    }

    /// Returns the temperature of a question; nil where none is set.
    package func temperature(of kind: Question.Kind, count: Int, isLev: Bool = false) -> Double? {
        values["\(kind.key).\(Self.bucket(count, isLev: isLev))"] ?? values[kind.key]
    }
}

extension Question.Kind {
    /// The name of the type in model files and on the wire.
    package var key: String {
        switch self {
        case .yesNo: "noul"
        case .choice: "choice"
        case .score: "score"
        }
    }
}
