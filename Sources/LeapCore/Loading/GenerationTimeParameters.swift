import LeapEngine
package import LeapModel

/// Values that a model was tuned for, over those of its manifest.
public struct GenerationTimeParameters: Sendable, Hashable, Codable {
    /// The parameters by which tokens are drawn.
    public var samplingParameters: SamplingParameters?
    /// The number of threads that generate.
    public var numberOfDecodingThreads: Int?

    /// Makes parameters.
    public init(samplingParameters: SamplingParameters? = nil, numberOfDecodingThreads: Int? = nil) {
        self.samplingParameters = samplingParameters
        self.numberOfDecodingThreads = numberOfDecodingThreads
    }

    enum CodingKeys: String, CodingKey {
        case samplingParameters = "sampling_parameters"
        case numberOfDecodingThreads = "number_of_decoding_threads"
    }
}

/// The parameters by which tokens are drawn; nil leaves a value to the model's file or the engine.
public struct SamplingParameters: Sendable, Hashable {
    /// The values, those included that have no property here and come from a manifest.
    package var values: SamplingValues

    /// The temperature of the draw: 0 always takes the likeliest token, higher values are more random.
    public var temperature: Double? {
        get { values[.temperature] }
        set { values[.temperature] = newValue }
    }

    /// The top-p of the draw, 0...1: tokens are drawn from the likeliest ones that together have this probability.
    public var topP: Double? {
        get { values[.topP] }
        set { values[.topP] = newValue }
    }

    /// The min-p of the draw, 0...1: tokens less likely than this share of the likeliest one are left out.
    public var minP: Double? {
        get { values[.minP] }
        set { values[.minP] = newValue }
    }

    /// The repetition penalty: 1 is none, higher values make tokens that were there already less likely.
    public var repetitionPenalty: Double? {
        get { values[.repetitionPenalty] }
        set { values[.repetitionPenalty] = newValue }
    }

    /// The top-k of the draw: tokens are drawn from this many of the likeliest; 0 for all.
    public var topK: Int? {
        get { values[.topK].flatMap { Int(exactly: $0) } }
        set { values[.topK] = newValue.map { Double($0) } }
    }

    /// Makes parameters.
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

    /// Makes parameters with a top-k that came as a floating-point number, as manifests write it.
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

    /// Reads parameters as manifests write them; top-k may have a fraction, which is rounded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        values = try SamplingValues { try container.decodeIfPresent(Double.self, forKey: Key(stringValue: $0)) }
    }

    /// Writes the parameters as manifests do.
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
