/// The model's queue of generations is full; nothing was computed, and the history is unchanged.
///
/// Try again when a generation has ended, or load the model with a larger `maxQueuedGenerations` in the extras. A
/// server answers with status 429.
public final class LeapGenerationQueueFullException: LeapGenerationException, @unchecked Sendable {
    // Sendable: adds no state.
}
