/// The pace at which a model computes.
///
/// The pace changes when tokens arrive, not which tokens arrive.
public struct Pace: Sendable, Hashable, Codable {
    /// The number of CPU threads.
    ///
    /// The model uses at least 1 and at most as many as it was loaded with.
    public var threads: Int
    /// The share of time that passes take, 0.05 to 1.
    ///
    /// After each pass the model pauses for the rest, for up to 1 second.
    public var dutyCycle: Double

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - threads: the number of CPU threads.
    ///   - dutyCycle: the share of time that passes take; 1 for no pauses.
    public init(threads: Int, dutyCycle: Double = 1) {
        self.threads = threads
        self.dutyCycle = dutyCycle
    }
}

/// Chooses the pace at which a model computes from the conditions of the device.
///
/// The model asks about once a second while it computes, on its own thread. Set a policy with
/// ``ModelRunner/setPacePolicy(_:)``.
public protocol PacePolicy: Sendable {
    /// Returns the pace under some conditions.
    ///
    /// - Parameters:
    ///   - conditions: the present conditions of the device.
    ///   - threads: the number of threads that the model was loaded with.
    func pace(under conditions: DeviceConditions, threads: Int) -> Pace
}

/// The policy of models for which an app sets none: it saves energy on a hot device and in Low Power Mode.
///
/// - Low Power Mode: half of the threads
/// - ``ThermalState/serious``: half of the threads, a duty cycle of 0.75
/// - ``ThermalState/critical``: one thread, a duty cycle of 0.5
/// - a control group with a limit: as many threads as processors' worth of time, rounded to the nearest
///
/// Where several apply, the fewest threads count.
public struct StandardPacePolicy: PacePolicy {
    /// Creates the policy.
    public init() {}

    /// Returns the pace under some conditions.
    ///
    /// - Parameters:
    ///   - conditions: the present conditions of the device.
    ///   - threads: the number of threads that the model was loaded with.
    public func pace(under conditions: DeviceConditions, threads: Int) -> Pace {
        let half = (threads + 1) / 2
        var pace =
            switch conditions.thermalState {
            case .nominal, .fair: Pace(threads: threads)
            case .serious: Pace(threads: half, dutyCycle: 0.75)
            case .critical: Pace(threads: 1, dutyCycle: 0.5)
            }
        if conditions.isLowPowerModeEnabled { pace.threads = min(pace.threads, half) }
        // A group whose time is used up rests until its period ends, all of its threads at once.
        if let quota = conditions.processorQuota, quota < Double(threads) {
            pace.threads = min(pace.threads, Int(max(1, quota.rounded())))
        }
        return pace
    }
}

/// The policy of models that compute at full speed whatever the conditions.
public struct FullPacePolicy: PacePolicy {
    /// Creates the policy.
    public init() {}

    /// Returns all threads and no pauses.
    ///
    /// - Parameters:
    ///   - conditions: ignored.
    ///   - threads: the number of threads that the model was loaded with.
    public func pace(under conditions: DeviceConditions, threads: Int) -> Pace { Pace(threads: threads) }
}
