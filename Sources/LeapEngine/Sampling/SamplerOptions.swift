/// How the next token is drawn from the logits.
///
/// The steps run in llama.cpp's order: repetition penalty, top-k, top-p, min-p, temperature, draw.
/// The values that stand here when nothing is set are llama.cpp's.
package struct SamplerOptions: Sendable, Hashable {
    /// Divides the logits before the draw; 0 takes the most likely token always.
    package var temperature: Float = 0.8
    /// Only the k most likely tokens stay; 0 keeps all.
    package var topK: Int = 40
    /// Only the smallest set of most likely tokens whose probability reaches this stays; 1 keeps all.
    package var topP: Float = 0.95
    /// Only tokens at least this fraction as likely as the most likely one stay; 0 keeps all.
    package var minP: Float = 0.05
    /// Positive logits of recent tokens are divided by it, negative ones multiplied (the Hugging Face form); 1 is off.
    package var repetitionPenalty: Float = 1
    /// How many of the latest tokens, prompt included, count as recent.
    package var repetitionWindow: Int = 64
    /// The seed of the draw; nil takes a new one each time.
    package var seed: UInt64?

    /// The engine's defaults.
    package init() {}

    /// Options that always take the most likely token.
    package static var greedy: SamplerOptions {
        var options = SamplerOptions()
        options.temperature = 0
        return options
    }

    /// Checks every value against its range.
    ///
    /// - Returns: the options themselves.
    /// - Throws: ``EngineError`` with code `invalidOption` that names the option, the value and the range.
    package func validated() throws(EngineError) -> SamplerOptions {
        func check(_ ok: Bool, _ name: String, _ value: String, _ range: String) throws(EngineError) {
            guard ok else {
                throw EngineError(.invalidOption, "\(name) is \(value): it has to be \(range)", field: name)
            }
        }
        try check(temperature >= 0 && temperature.isFinite, "temperature", "\(temperature)", "0 (greedy) or more")
        try check(topK >= 0, "topK", "\(topK)", "0 (off) or more")
        try check(topP > 0 && topP <= 1, "topP", "\(topP)", "above 0 and at most 1 (off)")
        try check(minP >= 0 && minP <= 1, "minP", "\(minP)", "between 0 (off) and 1")
        try check(
            repetitionPenalty > 0 && repetitionPenalty.isFinite, "repetitionPenalty", "\(repetitionPenalty)",
            "above 0 (1 is off)")
        try check(repetitionWindow >= 0, "repetitionWindow", "\(repetitionWindow)", "0 (off) or more")
        return self
    }
}

/// Sampler values that someone set, to be laid over others: model file over engine, manifest over file, caller over all.
package struct SamplerOverrides: Sendable, Hashable {
    /// See ``SamplerOptions/temperature``.
    package var temperature: Float?
    /// See ``SamplerOptions/topK``.
    package var topK: Int?
    /// See ``SamplerOptions/topP``.
    package var topP: Float?
    /// See ``SamplerOptions/minP``.
    package var minP: Float?
    /// See ``SamplerOptions/repetitionPenalty``.
    package var repetitionPenalty: Float?
    /// See ``SamplerOptions/repetitionWindow``.
    package var repetitionWindow: Int?

    /// Overrides with nothing set unless given.
    package init(
        temperature: Float? = nil, topK: Int? = nil, topP: Float? = nil, minP: Float? = nil,
        repetitionPenalty: Float? = nil, repetitionWindow: Int? = nil
    ) {
        self.temperature = temperature
        self.topK = topK
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.repetitionWindow = repetitionWindow
    }

    /// The options with every value that is set here put in place of theirs.
    package func applied(to options: SamplerOptions) -> SamplerOptions {
        var result = options
        if let temperature { result.temperature = temperature }
        if let topK { result.topK = topK }
        if let topP { result.topP = topP }
        if let minP { result.minP = minP }
        if let repetitionPenalty { result.repetitionPenalty = repetitionPenalty }
        if let repetitionWindow { result.repetitionWindow = repetitionWindow }
        return result
    }
}
