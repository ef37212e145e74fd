import LeapBase

/// The power profile of a Linux machine, as the files of `/sys` tell it.
///
/// power-profiles-daemon sets these files, so no connection to it is needed.
package struct LinuxPower {
    /// The folder that holds `sys`, with a slash at its end.
    private let root: String

    package init(root: String = "/") { self.root = root }

    /// True if the machine is set to save energy, by its firmware's profile or by the preference of its processors.
    package var savesPower: Bool {
        // The daemon's "power-saver" is one of these two, whichever the firmware has.
        if let profile = SystemFile.line(root + "sys/firmware/acpi/platform_profile") {
            if profile == "low-power" || profile == "quiet" { return true }
        }
        return SystemFile.line(root + "sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference") == "power"
    }
}
