package import LeapEngine

/// The conditions of a device that a ``PacePolicy`` chooses a pace for.
public struct DeviceConditions: Sendable, Hashable, Codable {
    /// The thermal state; always ``ThermalState/nominal`` on Linux, which has no common measure of it.
    public var thermalState: ThermalState
    /// A Boolean value that indicates whether the device saves energy: Low Power Mode, or a power-saving profile on
    /// Linux.
    public var isLowPowerModeEnabled: Bool
    /// The processors' worth of time that control groups allow the process; nil without a limit.
    public var processorQuota: Double?

    /// Creates conditions.
    ///
    /// - Parameters:
    ///   - thermalState: the thermal state.
    ///   - isLowPowerModeEnabled: whether the device saves energy.
    ///   - processorQuota: the processors' worth of time that the process may use; nil without a limit.
    public init(
        thermalState: ThermalState = .nominal, isLowPowerModeEnabled: Bool = false, processorQuota: Double? = nil
    ) {
        self.thermalState = thermalState
        self.isLowPowerModeEnabled = isLowPowerModeEnabled
        self.processorQuota = processorQuota
    }
}

extension DeviceConditions {
    init(_ conditions: PaceConditions) {
        self.init(
            thermalState: ThermalState(rawValue: conditions.thermalState) ?? .nominal,
            isLowPowerModeEnabled: conditions.savesPower, processorQuota: conditions.processorQuota)
    }

    /// The same in the engine's type.
    package var engineConditions: PaceConditions {
        var conditions = PaceConditions()
        conditions.thermalState = thermalState.rawValue
        conditions.savesPower = isLowPowerModeEnabled
        conditions.processorQuota = processorQuota
        return conditions
    }
}
