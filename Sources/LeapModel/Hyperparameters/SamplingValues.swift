/// Sampling parameters that someone set: a model file, a manifest, an app for one generation.
///
/// A value that is not set is taken from the next source: the app's values are filled from the manifest's, these from
/// the file's, and the rest is ``SamplingParameter``'s standard.
package struct SamplingValues: Sendable, Hashable {
    private var values: [SamplingParameter: Double] = [:]
    /// The seed of the draw; nil takes a new one each time.
    package var seed: UInt64?

    /// Makes values of which none is set.
    package init() {}

    /// Always takes the most likely token.
    package static let greedy: SamplingValues = [.temperature: 0]

    /// The value that was set, or nil.
    package subscript(_ parameter: SamplingParameter) -> Double? {
        get { values[parameter] }
        set { values[parameter] = newValue }
    }

    /// The value that counts: what was set, else the standard.
    package func value(of parameter: SamplingParameter) -> Double { values[parameter] ?? parameter.descriptor.standard }

    /// These values, and another's where these are not set.
    package func filled(from other: SamplingValues) -> SamplingValues {
        var result = self
        result.values.merge(other.values) { mine, _ in mine }
        result.seed = seed ?? other.seed
        return result
    }

    /// Checks every value against its range.
    ///
    /// - Returns: the values themselves.
    /// - Throws: ``EngineError`` with code `invalidOption` that names the parameter, the value and the range.
    package func validated() throws(EngineError) -> SamplingValues {
        for parameter in SamplingParameter.allCases {
            guard let value = values[parameter] else { continue }
            let descriptor = parameter.descriptor
            guard descriptor.range.contains(value), !descriptor.isInteger || value == value.rounded() else {
                throw EngineError(
                    .invalidOption, "\(parameter.name) is \(Self.text(value)): it has to be \(descriptor.expected)",
                    field: parameter.name)
            }
        }
        return self
    }

    /// Returns a value as someone would write it: most came as `Float`.
    private static func text(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? "\(Float(value))" }
}

extension SamplingValues: ExpressibleByDictionaryLiteral {
    /// Makes values; of a parameter that is given twice the last value counts.
    package init(dictionaryLiteral elements: (SamplingParameter, Double)...) {
        values = Dictionary(elements) { $1 }
    }
}

extension SamplingValues {
    /// Reads the values of a manifest's `sampling_parameters`.
    ///
    /// - Parameter number: the number at a key, or nil. Whole numbers may be written with a fraction, which is rounded.
    package init(manifest number: (String) throws -> Double?) rethrows {
        for parameter in SamplingParameter.allCases {
            guard let value = try number(parameter.key) else { continue }
            values[parameter] = parameter.descriptor.isInteger ? value.rounded() : value
        }
    }

    /// The values by the keys of a manifest.
    package var manifest: [(key: String, value: Double)] {
        SamplingParameter.allCases.compactMap { parameter in values[parameter].map { (parameter.key, $0) } }
    }
}

extension SamplingValues: Codable {
    private enum CodingKeys: CodingKey {
        case values, seed
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let numbers = try container.decode([String: Double].self, forKey: .values)
        self.init(manifest: { numbers[$0] })
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Dictionary(uniqueKeysWithValues: manifest.map { ($0.key, $0.value) }), forKey: .values)
        try container.encodeIfPresent(seed, forKey: .seed)
    }
}
