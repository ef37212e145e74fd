package import LeapEngine

/// Tells the present conditions of a device; asked on an engine's thread, about once a second.
package protocol ConditionSource: Sendable {
    /// The conditions at present.
    var conditions: DeviceConditions { get }
}

/// The pace of an engine by an app's policy, under the conditions that a source tells.
package struct PolicyPace: PaceSource {
    private let policy: any PacePolicy
    private let source: any ConditionSource

    /// - Parameters:
    ///   - policy: chooses the pace.
    ///   - source: tells the conditions.
    package init(_ policy: any PacePolicy, source: any ConditionSource = SystemConditions()) {
        self.policy = policy
        self.source = source
    }

    package func pace(of threads: Int) -> ComputePace {
        let conditions = source.conditions
        let pace = policy.pace(under: conditions, threads: threads)
        return ComputePace(
            threads: pace.threads, dutyCycle: pace.dutyCycle, conditions: conditions.engineConditions)
    }
}
