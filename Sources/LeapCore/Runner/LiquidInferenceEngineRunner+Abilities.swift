import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// A task that a model is made for, as far as its file tells.
package enum ModelCapability: String, Sendable, CaseIterable {
    /// It writes text.
    case completion
    /// It was trained to call functions.
    case tools
    /// Its replies may begin with reasoning.
    case thinking
    /// It reads pictures, by the projector that it was loaded with.
    case vision
    /// It reads sound, by the encoder that it was loaded with.
    case audio
    /// It speaks, by the audio decoder that it was loaded with.
    case speech
    /// Its file says how texts become vectors.
    case embedding
    /// It tells how well documents answer a query.
    case reranking
    /// It was trained to answer typed questions.
    case decisions
}

/// The capabilities of a loaded model and its default sampling.
package struct ModelAbilities: Sendable {
    package var capabilities: [ModelCapability]
    /// The default sampling values, by the keys of manifests.
    package var sampling: [(key: String, value: Double)]
}

extension LiquidInferenceEngineRunner {
    /// True if the model goes on with texts and was trained on no chat: no chat template was found, and its vocabulary
    /// has not the marks of ChatML either, which stands in for one.
    package var isBaseModel: Bool {
        guard let builder = try? promptSource().builder, backend.textModel?.generatesText ?? true else { return false }
        return builder.renderer.formatter is ChatMLFormatter && builder.tokenizer.token(for: "<|im_end|>") == nil
    }

    /// Returns the capabilities of the model and its default sampling.
    ///
    /// - Throws: ``LeapGenerationException`` if the model is unloaded.
    package func abilities() throws -> ModelAbilities {
        let renderer = try promptSource().builder.renderer
        var found: [ModelCapability] = []
        let generatesText = backend.textModel?.generatesText ?? true
        let answers = backend.textModel?.decision != nil
        if generatesText {
            // A decision model without a chat template of its own writes nothing useful.
            if !answers || !(renderer.formatter is ChatMLFormatter) { found.append(.completion) }
            if renderer.showsCallStyle { found.append(.tools) }
            if renderer.formatter.traits.reasons { found.append(.thinking) }
            if media.contains(.image) { found.append(.vision) }
            if media.contains(.audio) { found.append(.audio) }
            if try promptSource().builder.speech != nil { found.append(.speech) }
        } else if let capabilities = decisionCapabilities {
            if capabilities.readsPictures { found.append(.vision) }
            if capabilities.readsSounds { found.append(.audio) }
        }
        // Vectors can be made of the others too, by the state of the last token.
        let (pooling, ranks) = (backend.textModel?.pooling, backend.textModel?.ranking != nil)
        if ranks || backend.textModel?.comparesTokens == true { found.append(.reranking) }
        if answers { found.append(.decisions) }
        if (!generatesText && !ranks && !answers) || (pooling != nil && pooling != Pooling.none) {
            found.append(.embedding)
        }
        return ModelAbilities(
            capabilities: found, sampling: SamplingParameter.allCases.map { ($0.key, sampling.value(of: $0)) })
    }
}
