extension GenerationFinishReason {
    /// The older spelling of ``exceedContext``.
    public static var exceed_context: GenerationFinishReason { .exceedContext }
}
