import LeapEngine
package import LeapModel

/// Values that a model was tuned for; they take precedence over those of its manifest.
public struct GenerationTimeParameters: Sendable, Hashable, Codable {
    /// The sampling parameters.
    public var samplingParameters: SamplingParameters?
    /// The number of threads for decode.
    public var numberOfDecodingThreads: Int?

    /// Creates parameters.
    public init(samplingParameters: SamplingParameters? = nil, numberOfDecodingThreads: Int? = nil) {
        self.samplingParameters = samplingParameters
        self.numberOfDecodingThreads = numberOfDecodingThreads
    }

    enum CodingKeys: String, CodingKey {
        case samplingParameters = "sampling_parameters"
        case numberOfDecodingThreads = "number_of_decoding_threads"
    }
}

/// Sampling parameters; a value that is nil comes from the model's file or the engine.
public struct SamplingParameters: Sendable, Hashable {
    /// The values, those included that have no property here and come from a manifest.
    package var values: SamplingValues

    /// The sampling temperature: 0 always takes the most likely token; higher values are more random.
    public var temperature: Double? {
        get { values[.temperature] }
        set { values[.temperature] = newValue }
    }

    /// The top-p of sampling, 0...1: samples from the most likely tokens that together have this probability.
    public var topP: Double? {
        get { values[.topP] }
        set { values[.topP] = newValue }
    }

    /// The min-p of sampling, 0...1: excludes tokens less likely than this fraction of the most likely token.
    public var minP: Double? {
        get { values[.minP] }
        set { values[.minP] = newValue }
    }

    /// The repetition penalty: 1 is none; higher values make repeated tokens less likely.
    public var repetitionPenalty: Double? {
        get { values[.repetitionPenalty] }
        set { values[.repetitionPenalty] = newValue }
    }

    /// The top-k of sampling: samples from this many of the most likely tokens; 0 for all.
    public var topK: Int? {
        get { values[.topK].flatMap { Int(exactly: $0) } }
        set { values[.topK] = newValue.map { Double($0) } }
    }

    /// Creates parameters.
    public init(
        temperature: Double? = nil, topP: Double? = nil, minP: Double? = nil, repetitionPenalty: Double? = nil,
        topK: Int? = nil
    ) {
        values = SamplingValues()
        self.temperature = temperature
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.topK = topK
    }

    /// Creates parameters with a floating-point top-k, as in manifests.
    @_disfavoredOverload
    public init(
        temperature: Double? = nil, topP: Double? = nil, minP: Double? = nil, repetitionPenalty: Double? = nil,
        topK: Double?
    ) {
        self.init(
            temperature: temperature, topP: topP, minP: minP, repetitionPenalty: repetitionPenalty,
            topK: topK.flatMap { Int(exactly: $0.rounded()) })
    }

    package init(_ values: SamplingValues) { self.values = values }

    /// Reads the members of a manifest's `sampling_parameters`.
    ///
    /// - Parameter number: the number at a key, or nil.
    package init(manifest number: (String) -> Double?) { values = SamplingValues(manifest: number) }
}

extension SamplingParameters: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes parameters in the format of manifests; rounds a top-k that has a fraction.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        values = try SamplingValues { try container.decodeIfPresent(Double.self, forKey: Key(stringValue: $0)) }
    }

    /// Encodes the parameters in the format of manifests.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in values.manifest {
            if let integer = Int(exactly: value) {
                try container.encode(integer, forKey: Key(stringValue: key))
            } else {
                try container.encode(value, forKey: Key(stringValue: key))
            }
        }
    }
}

extension GenerationTimeParameters {
    /// These values, and `other`'s where these are nil.
    package func filled(from other: GenerationTimeParameters?) -> GenerationTimeParameters {
        guard let other else { return self }
        let mine = samplingParameters?.values ?? [:]
        return GenerationTimeParameters(
            samplingParameters: SamplingParameters(mine.filled(from: other.samplingParameters?.values ?? [:])),
            numberOfDecodingThreads: numberOfDecodingThreads ?? other.numberOfDecodingThreads)
    }
}
