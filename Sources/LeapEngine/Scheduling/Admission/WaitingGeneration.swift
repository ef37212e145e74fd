import LeapModel

/// A generation that has not begun: it waits for its turn, or for its prefix from disk.
struct WaitingGeneration {
    let request: GenerationRequest
    let task: GenerationTask
    let session: Session
    let startTime: ContinuousClock.Instant
    let onEvent: @Sendable (GenerationEvent) -> Void

    /// Reports that it does not begin.
    func end(_ error: EngineError) {
        task.markFinished()
        onEvent(.finished(GenerationResult(reason: error.code == .cancelled ? .cancelled : .failed(error))))
    }
}
