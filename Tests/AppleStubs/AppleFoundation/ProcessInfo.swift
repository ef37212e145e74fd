// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Apple's Foundation tells of heat and power: macOS 12 and iOS 11 have both.
import Foundation

extension ProcessInfo {
    public enum ThermalState: Int, Sendable {
        case nominal, fair, serious, critical
    }

    public var thermalState: ThermalState { .nominal }
    public var isLowPowerModeEnabled: Bool { false }
}
