#if canImport(Darwin)
    import Foundation
#else
    import LeapCPU
#endif

/// The conditions that the system tells: Apple's `ProcessInfo`, or the files of Linux.
package struct SystemConditions: ConditionSource {
    #if !canImport(Darwin)
        /// The folder that holds `proc` and `sys`, with a slash at its end.
        private let root: String

        package init(root: String = "/") { self.root = root }
    #else
        package init() {}
    #endif

    package var conditions: DeviceConditions {
        #if canImport(Darwin)
            let process = ProcessInfo.processInfo
            return DeviceConditions(
                thermalState: ThermalState(process.thermalState),
                isLowPowerModeEnabled: process.isLowPowerModeEnabled)
        #else
            return DeviceConditions(
                isLowPowerModeEnabled: LinuxPower(root: root).savesPower,
                processorQuota: LinuxProcessors(root: root).quota)
        #endif
    }
}

#if canImport(Darwin)
    extension ThermalState {
        init(_ state: ProcessInfo.ThermalState) {
            // Later systems may add states, which are hotter.
            self =
                switch state.rawValue {
                case ...0: .nominal
                case 1: .fair
                case 2: .serious
                default: .critical
                }
        }
    }
#endif
