/// A number that says how tokens are drawn.
///
/// This is the one list of them: files, manifests, options and extras read and check them by what stands here. A new
/// one takes its case, its row in ``descriptor``, and its step in ``Sampler``.
package enum SamplingParameter: String, Sendable, CaseIterable {
    /// Divides the logits before the draw; 0 always takes the most likely token.
    case temperature
    /// Only the k most likely tokens stay; 0 keeps all.
    case topK
    /// Only the smallest set of most likely tokens whose probability reaches this stays; 1 keeps all.
    case topP
    /// Only tokens at least this fraction as likely as the most likely one stay; 0 keeps all.
    case minP
    /// Positive logits of recent tokens are divided by it, negative ones multiplied (the Hugging Face form); 1 is off.
    case repetitionPenalty
    /// The number of the latest tokens, prompt included, that count as recent.
    case repetitionWindow
    /// Subtracted from a recent token's logit, once for each time it occurs; 0 is off.
    case frequencyPenalty
    /// Subtracted once from the logit of each recent token; 0 is off.
    case presencePenalty
    /// Only tokens whose logit is at most this many standard deviations below the largest one stay (Top-nσ, Tang and
    /// others 2024); 0 is off.
    case topNSigma

    /// The description of the parameter; the standard values are those of llama.cpp.
    var descriptor: Descriptor {
        switch self {
        case .temperature:
            Descriptor(
                key: "temperature", standard: 0.8, range: 0...Descriptor.largest, expected: "0 (greedy) or more",
                metadata: Metadata(key: "temp", range: 0...1e6))
        case .topK:
            Descriptor(
                key: "top_k", standard: 40, range: 0...Descriptor.largestInteger, isInteger: true,
                expected: "a whole number, 0 (off) or more", metadata: Metadata(key: "top_k"))
        case .topP:
            Descriptor(
                key: "top_p", standard: 0.95, range: Descriptor.smallest...1, expected: "above 0 and at most 1 (off)",
                metadata: Metadata(key: "top_p"))
        case .minP:
            Descriptor(
                key: "min_p", standard: 0.05, range: 0...1, expected: "between 0 (off) and 1",
                metadata: Metadata(key: "min_p"))
        case .repetitionPenalty:
            Descriptor(
                key: "repetition_penalty", standard: 1, range: Descriptor.smallest...Descriptor.largest,
                expected: "above 0 (1 is off)",
                metadata: Metadata(key: "penalty_repeat", range: Double(0.01 as Float)...100, outside: .refused))
        case .repetitionWindow:
            Descriptor(
                key: "repetition_window", standard: 64, range: 0...Descriptor.largestInteger, isInteger: true,
                expected: "a whole number, 0 (off) or more",
                metadata: Metadata(key: "penalty_last_n", outside: .contextLength))
        case .frequencyPenalty:
            Descriptor(
                key: "frequency_penalty", standard: 0, range: -100...100, expected: "between -100 and 100 (0 is off)")
        case .presencePenalty:
            Descriptor(
                key: "presence_penalty", standard: 0, range: -100...100, expected: "between -100 and 100 (0 is off)")
        case .topNSigma:
            Descriptor(key: "top_n_sigma", standard: 0, range: 0...1000, expected: "between 0 (off) and 1000")
        }
    }
}

extension SamplingParameter {
    /// A row of the table.
    struct Descriptor {
        static let largest = Double(Float.greatestFiniteMagnitude)
        static let smallest = Double(Float.leastNonzeroMagnitude)
        /// Up to here every whole number is a `Double`.
        static let largestInteger = 0x1p53

        /// Its key in the JSON of manifests.
        var key: String
        /// The value where none was set.
        var standard: Double
        /// The values that it may have.
        var range: ClosedRange<Double>
        /// True if only whole numbers are values.
        var isInteger = false
        /// The range in words, with the value that turns it off.
        var expected: String
        /// The key under which model files recommend a value; nil where they do not.
        var metadata: Metadata?
    }

    /// The form in which model files write a value.
    struct Metadata {
        /// The meaning of a value outside of the range.
        enum Outside {
            /// The nearest value of the range.
            case nearest
            /// The length of the context, for negative values.
            case contextLength
            /// Nothing: loading fails.
            case refused
        }

        /// The key after `general.sampling.`.
        var key: String
        /// The values that files may have, if not those of options.
        var range: ClosedRange<Double>?
        var outside = Outside.nearest
    }

    /// Its name in options, extras and errors: `topP`.
    package var name: String { rawValue }

    /// The values that it may have, in words: `between 0 (off) and 1`.
    package var expectation: String { descriptor.expected }

    /// Its key in the JSON of manifests: `top_p`.
    package var key: String { descriptor.key }

    /// The parameter of a name or key.
    package init?(nameOrKey text: String) {
        guard let known = Self(rawValue: text) ?? Self.allCases.first(where: { $0.key == text }) else { return nil }
        self = known
    }
}
