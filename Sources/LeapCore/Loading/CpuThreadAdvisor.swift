import LeapCPU
import LeapEngine

/// Advice on the number of threads that suits this machine.
public enum CpuThreadAdvisor {
    /// Returns the number of threads for a model whose options set none: one for each fast core, 1 to 64.
    ///
    /// Two hardware threads of a core count once. Energy-saving cores (Arm's `cpu_capacity`, Intel's hybrids, Apple
    /// silicon) do not count if there are fast ones. On Linux, cores that the process may not use do not count either.
    /// If a control group (`cpu.max`, `cpu.cfs_quota_us`) allows less CPU time, the result is that many processors,
    /// rounded to the nearest.
    public static func getRecommendedThreadCount() -> Int { ThreadAdvisor.recommended }
}
