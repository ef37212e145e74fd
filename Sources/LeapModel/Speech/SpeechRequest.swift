package import LeapTokenizer

/// That a reply may hold speech, and how it is written.
package struct SpeechRequest: Sendable {
    /// The order of text and speech.
    package var order: SpeechOrder
    /// The parameters by which codes are drawn: those that are not set are the decoder's
    /// (``SpeechDecoder/sampling(for:)``).
    ///
    /// Penalties have an effect only where the decoder writes codes in passes. Without a seed the generation takes one
    /// from the system.
    package var sampling: SamplingValues
    /// The token that begins speech in a sequential reply.
    package var start: TokenID?
    /// The token that ends the text of an interleaved reply.
    package var textEnd: TokenID?

    package init(
        order: SpeechOrder, sampling: SamplingValues = SamplingValues(), start: TokenID?, textEnd: TokenID?
    ) {
        self.order = order
        self.sampling = sampling
        self.start = start
        self.textEnd = textEnd
    }

    /// Checks the numbers.
    package func validate() throws(EngineError) {
        _ = try sampling.validated()
        if case .interleaved(let text, let frames) = order, text < 1 || frames < 1 {
            throw EngineError(
                .invalidOption,
                "the interleaving of text and speech is \(text) tokens and \(frames) frames: both have to be 1 or more",
                field: "speech")
        }
    }
}
