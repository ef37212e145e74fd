/// The speed at which an engine computes; no bit of a result depends on it.
package struct ComputePace: Sendable, Hashable {
    /// The number of threads of the processor.
    package var threads: Int
    /// The share of time that passes take, above 0 and at most 1; a pause behind each pass takes the rest.
    package var dutyCycle: Double
    /// The conditions that the pace was chosen for.
    package var conditions: PaceConditions

    package init(threads: Int, dutyCycle: Double = 1, conditions: PaceConditions = PaceConditions()) {
        self.threads = threads
        self.dutyCycle = dutyCycle
        self.conditions = conditions
    }

    /// The same within what an engine can do: at least 1 thread, at most those that it started.
    func clamped(to threads: Int) -> ComputePace {
        var pace = self
        pace.threads = max(1, min(self.threads, threads))
        // A value that is no number means no pauses.
        pace.dutyCycle = dutyCycle < 1 ? max(dutyCycle, Self.leastDutyCycle) : 1
        return pace
    }

    /// The lowest share of time that passes take: a reply goes on, however hot the machine is.
    package static let leastDutyCycle = 0.05
}

/// The conditions of a machine that an engine's pace depends on.
package struct PaceConditions: Sendable, Hashable {
    /// The name of the thermal state.
    package var thermalState = "nominal"
    /// True if the system saves energy.
    package var savesPower = false
    /// The processors' worth of time that the process may use; nil without a limit.
    package var processorQuota: Double?

    package init() {}
}

/// Chooses an engine's pace; asked on the engine's thread, between passes.
package protocol PaceSource: Sendable {
    /// Returns the pace at present.
    ///
    /// - Parameter threads: the number of threads that the engine started.
    func pace(of threads: Int) -> ComputePace
}

/// The figures of an engine's pace.
package struct PaceReport: Sendable, Hashable {
    /// The pace at present.
    package var pace: ComputePace
    /// The seconds of all pauses so far.
    package var pausedSeconds = 0.0

    package init(pace: ComputePace, pausedSeconds: Double = 0) {
        self.pace = pace
        self.pausedSeconds = pausedSeconds
    }
}
