/// A generation that can be stopped.
public protocol GenerationHandler: AnyObject, Sendable {
    /// Stops the generation within one token.
    ///
    /// The reply as far as it has come arrives as a completion with ``GenerationFinishReason/interrupted``. Stopping a
    /// generation that is over does nothing.
    func stop()
}
