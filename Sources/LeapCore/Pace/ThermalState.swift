/// The thermal state of a device, with the names of Apple's `ProcessInfo.ThermalState`.
public enum ThermalState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The device is not hot.
    case nominal
    /// The device is slightly hot.
    case fair
    /// The device is hot; the system slows down to cool it.
    case serious
    /// The device is so hot that it needs to cool down immediately.
    case critical
}
