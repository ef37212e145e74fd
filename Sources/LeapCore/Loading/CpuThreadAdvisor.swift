import LeapCPU
import LeapEngine

/// Advice on the number of threads that suits this machine.
public enum CpuThreadAdvisor {
    /// Returns the number of threads that a model runs on unless its options say otherwise: one for each fast core, 1
    /// to 64.
    ///
    /// Two hardware threads of a core count once, cores made to save energy (Arm's `cpu_capacity`, Intel's hybrids,
    /// Apple silicon) do not count beside fast ones, and on Linux neither does what the process may not run on. Where a
    /// control group (`cpu.max`, `cpu.cfs_quota_us`) allows less time than that, it is that many processors, rounded to
    /// the nearest.
    public static func getRecommendedThreadCount() -> Int { ThreadAdvisor.recommended }
}
