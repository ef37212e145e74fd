/// Values that a model was tuned for, over those of its manifest.
public struct GenerationTimeParameters: Sendable, Hashable, Codable {
    /// How tokens are drawn.
    public var samplingParameters: SamplingParameters?
    /// The threads that generate.
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

/// How tokens are drawn; nil leaves a value to the model's file or the engine.
public struct SamplingParameters: Sendable, Hashable, Codable {
    /// 0 for always the likeliest token; higher is more random.
    public var temperature: Double?
    /// Tokens are drawn from the likeliest ones that together have this probability, 0...1.
    public var topP: Double?
    /// Tokens less likely than this share of the likeliest one are left out, 0...1.
    public var minP: Double?
    /// 1 for none; higher makes tokens that were there already less likely.
    public var repetitionPenalty: Double?
    /// Tokens are drawn from this many of the likeliest; 0 for all.
    public var topK: Int?

    /// Makes parameters.
    public init(
        temperature: Double? = nil, topP: Double? = nil, minP: Double? = nil, repetitionPenalty: Double? = nil,
        topK: Int? = nil
    ) {
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

    enum CodingKeys: String, CodingKey {
        case temperature
        case topP = "top_p"
        case minP = "min_p"
        case repetitionPenalty = "repetition_penalty"
        case topK = "top_k"
    }

    /// Reads parameters as manifests write them; top-k may have a fraction of zero.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        temperature = try container.decodeIfPresent(Double.self, forKey: .temperature)
        topP = try container.decodeIfPresent(Double.self, forKey: .topP)
        minP = try container.decodeIfPresent(Double.self, forKey: .minP)
        repetitionPenalty = try container.decodeIfPresent(Double.self, forKey: .repetitionPenalty)
        topK = try container.decodeIfPresent(Double.self, forKey: .topK).flatMap { Int(exactly: $0.rounded()) }
    }
}

extension GenerationTimeParameters {
    /// These values, and `other`'s where these are nil.
    package func filled(from other: GenerationTimeParameters?) -> GenerationTimeParameters {
        guard let other else { return self }
        let mine = samplingParameters
        let theirs = other.samplingParameters
        let sampling = SamplingParameters(
            temperature: mine?.temperature ?? theirs?.temperature, topP: mine?.topP ?? theirs?.topP,
            minP: mine?.minP ?? theirs?.minP, repetitionPenalty: mine?.repetitionPenalty ?? theirs?.repetitionPenalty,
            topK: mine?.topK ?? theirs?.topK)
        return GenerationTimeParameters(
            samplingParameters: sampling,
            numberOfDecodingThreads: numberOfDecodingThreads ?? other.numberOfDecodingThreads)
    }
}
