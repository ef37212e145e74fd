/// A generation that can be stopped.
public protocol GenerationHandler: AnyObject, Sendable {
    /// Stops the generation within one token.
    ///
    /// What there is of the reply arrives as a completion with ``GenerationFinishReason/interrupted``. Stopping what is over does
    /// nothing.
    func stop()
}
