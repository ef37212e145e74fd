/// As many generations of the model run and wait as may; nothing was computed, and the history is as before.
///
/// Try again when one of them is over, or load the model with a larger `maxQueuedGenerations` in the extras. A server
/// answers with status 429.
public final class LeapGenerationQueueFullException: LeapGenerationException, @unchecked Sendable {
    // Sendable: adds no state.
}
