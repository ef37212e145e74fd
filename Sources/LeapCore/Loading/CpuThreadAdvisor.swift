import LeapEngine

/// Knows how many threads suit this machine.
public enum CpuThreadAdvisor {
    /// The threads that a model runs on unless its options say otherwise: one for each fast core.
    public static func getRecommendedThreadCount() -> Int { ThreadAdvisor.recommended }
}
