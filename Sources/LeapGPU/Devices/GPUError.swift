import LeapBase

/// The reason why a GPU does not compute.
package struct GPUError: CodedError, Hashable {
    /// The kinds of reason.
    package enum Code: String, Sendable {
        case noLoader, noDriver, noKernels, noDevice, onlySoftware, wrongResult, unusable, outOfMemory, lost, timedOut
        case stopped, reset
        case compilation, inBackground, invalid, driver
    }

    package let code: Code
    package let message: String
    /// The device, kernel or operation at fault.
    package let field: String?

    private init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
    /// The system has no Vulkan loader.
    package static let noLoader = GPUError(
        .noLoader, "libvulkan.so.1 is not installed; install the Vulkan loader and the driver of the GPU")
    /// The loader finds no device: no driver is installed, or none that works here.
    package static let noDriver = GPUError(
        .noDriver, "the Vulkan loader finds no GPU: install its driver, and let this user open it (/dev/dri)")
    /// The file with the code of the kernels is missing or another one.
    package static func noKernels(_ reason: String) -> Self {
        Self(.noKernels, "the code of its kernels cannot be read: \(reason)")
    }
    /// The device is gone: a fault, a reset, or a background app.
    package static let lost = GPUError(.lost, "the GPU was lost")
    /// The system ended commands because they took too long; the device takes others.
    package static let stopped = GPUError(.stopped, "the system ended the GPU's work because it took too long")
    /// The driver reset the device because its commands took too long: what was made of it is lost.
    package static let reset = GPUError(.reset, "the driver reset the GPU because its work took too long")
    /// The app is in the background, where the system lets no app use the GPU: it computes again when the app comes
    /// back.
    package static let inBackground = GPUError(.inBackground, "the app is in the background")

    /// True if a watchdog ended the work: shorter submissions may be carried out.
    package var isWatchdog: Bool { code == .stopped || code == .reset }

    /// A device was asked for that is not there.
    package static func noDevice(index: Int, count: Int) -> Self {
        Self(
            .noDevice, "there is no GPU \(index): the system has \(count), counted from 0", field: "\(index)")
    }
    /// No device has such a name.
    package static func noDeviceNamed(_ name: String, names: [String]) -> Self {
        Self(
            .noDevice, "no GPU is named “\(name)”; there are: \(names.joined(separator: ", "))", field: name)
    }
    /// All devices compute on the processor, which is slower than the processor's own kernels.
    package static func onlySoftware(names: [String]) -> Self {
        Self(
            .onlySoftware,
            "\(names.joined(separator: ", ")) runs on the processor; set \(GPUDevices.environmentName) to use it")
    }
    /// The device computes something else than the processor does.
    package static func wrongResult(kernel: String) -> Self {
        Self(.wrongResult, "the GPU computes wrong results with the kernel \(kernel)", field: kernel)
    }
    /// The device lacks something that every kernel needs.
    package static func unusable(device: String, reason: String) -> Self {
        Self(.unusable, "\(device) is not used: \(reason)", field: device)
    }
    /// Neither host nor device has the memory.
    package static func outOfMemory(byteCount: Int) -> Self {
        Self(.outOfMemory, "the GPU has no memory for \(byteCount) bytes")
    }
    /// The device had not finished after this time.
    package static func timedOut(seconds: Double) -> Self {
        Self(.timedOut, "the GPU did not finish within \(seconds) s")
    }
    /// The driver did not compile a kernel.
    package static func compilation(kernel: String, result: Int32) -> Self {
        Self(.compilation, "the driver did not compile the kernel \(kernel) (result \(result))", field: kernel)
    }
    /// Metal did not compile the text of a kernel, and said why.
    package static func refusedText(kernel: String, reason: String) -> Self {
        Self(.compilation, "Metal did not compile the kernel \(kernel): \(reason.prefix(500))", field: kernel)
    }
    /// A call that the device's limits or the kernel's interface do not allow.
    package static func invalid(_ reason: String) -> Self { GPUError(.invalid, reason) }

    /// Another failure of the driver, with its result.
    package static func driver(operation: String, result: Int32) -> Self {
        Self(.driver, "\(operation) failed in the GPU's driver (result \(result))", field: operation)
    }
}
