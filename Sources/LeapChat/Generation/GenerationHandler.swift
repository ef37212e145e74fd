/// A running generation that you can stop.
public protocol GenerationHandler: AnyObject, Sendable {
    /// Stops the generation within one token.
    ///
    /// The reply so far arrives as a completion with ``GenerationFinishReason/interrupted``. If the generation has
    /// ended, this does nothing.
    func stop()
}
