package import LeapEngine

/// The pace of a model: what it is, and why.
public struct PaceStatistics: Sendable, Hashable, Codable {
    /// The present pace, within what the model can do.
    public var pace: Pace
    /// The conditions for which the policy chose it.
    public var conditions: DeviceConditions
    /// The number of seconds of all pauses so far.
    public var pausedSeconds: Double

    /// Creates statistics.
    ///
    /// - Parameters:
    ///   - pace: the present pace.
    ///   - conditions: the conditions for which the policy chose it.
    ///   - pausedSeconds: the number of seconds of all pauses so far.
    public init(pace: Pace, conditions: DeviceConditions = DeviceConditions(), pausedSeconds: Double = 0) {
        self.pace = pace
        self.conditions = conditions
        self.pausedSeconds = pausedSeconds
    }
}

extension PaceStatistics {
    init(_ report: PaceReport) {
        self.init(
            pace: Pace(threads: report.pace.threads, dutyCycle: report.pace.dutyCycle),
            conditions: DeviceConditions(report.pace.conditions), pausedSeconds: report.pausedSeconds)
    }

    /// The same figures in the engine's type.
    package var report: PaceReport {
        PaceReport(
            pace: ComputePace(
                threads: pace.threads, dutyCycle: pace.dutyCycle, conditions: conditions.engineConditions),
            pausedSeconds: pausedSeconds)
    }
}
