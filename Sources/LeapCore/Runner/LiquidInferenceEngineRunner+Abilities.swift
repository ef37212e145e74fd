import LeapEngine

/// What a loaded model can do and how it is used unless someone says otherwise.
package struct ModelAbilities: Sendable {
    /// Whether it writes text, or only reads it.
    package var generatesText: Bool
    /// Whether its chat format has a choice whether it thinks.
    package var choosesThinking: Bool
    /// How tokens are drawn where options do not say, by the keys of manifests.
    package var sampling: [(key: String, value: Double)]
}

extension LiquidInferenceEngineRunner {
    /// What the model can do.
    ///
    /// - Throws: ``LeapGenerationException`` if the model is unloaded.
    package func abilities() throws -> ModelAbilities {
        let renderer = try promptSource().builder.renderer
        return ModelAbilities(
            generatesText: backend.textModel?.generatesText ?? true,
            choosesThinking: renderer.formatter.traits.takesThinkingChoice,
            sampling: SamplingParameter.allCases.map { ($0.key, sampling.value(of: $0)) })
    }
}
