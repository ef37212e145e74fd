import LeapBase

/// The devices that there are, and the one to compute with.
package enum GPUDevices {
    /// The variable of the environment that names a device where nothing else does.
    package static let environmentName = "LEAP_GPU"

    /// Opens a device.
    ///
    /// - Parameter choice: its number, counted from 0, or a part of its name; nil takes what the environment names,
    ///   else the first one that is no renderer in software.
    package static func open(_ choice: String?) throws(GPUError) -> any GPUDevice {
        let instance = try VulkanInstance()
        let index = try index(of: choice ?? environmentChoice, in: instance.devices)
        return try VulkanDevice(instance, index: index)
    }

    /// All devices in the order of their numbers, those that cannot be used among them; none are opened.
    package static func all() throws(GPUError) -> [GPUProperties] { try VulkanInstance().devices }

    /// The choice that the environment names; nil for none.
    package static var environmentChoice: String? {
        guard let value = getenv(environmentName) else { return nil }
        let choice = String(cString: value)
        return choice.isEmpty ? nil : choice
    }

    /// The index of the device that is meant.
    package static func index(of choice: String?, in devices: [GPUProperties]) throws(GPUError) -> Int {
        guard !devices.isEmpty else { throw .noDriver }
        guard let choice else { return try standard(devices) }
        if let index = Int(choice) {
            guard devices.indices.contains(index) else { throw .noDevice(index: index, count: devices.count) }
            return index
        }
        let named = devices.indices.filter { devices[$0].name.lowercased().contains(choice.lowercased()) }
        guard let first = named.first(where: { devices[$0].obstacle == nil }) ?? named.first else {
            throw .noDeviceNamed(choice, names: devices.map(\.name))
        }
        return first
    }

    /// The device to take where none is named: one with memory of its own before one that shares the processor's.
    private static func standard(_ devices: [GPUProperties]) throws(GPUError) -> Int {
        let hardware = devices.indices.filter { devices[$0].kind != .processor }
        guard let first = hardware.first else { throw .onlySoftware(names: devices.map(\.name)) }
        let usable = hardware.filter { devices[$0].obstacle == nil }
        let order: [GPUProperties.Kind] = [.discrete, .integrated, .virtual, .other]
        for kind in order {
            if let index = usable.first(where: { devices[$0].kind == kind }) { return index }
        }
        return first
    }
}
