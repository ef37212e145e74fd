/// The reason why a GPU does not compute.
package enum GPUError: Error, Equatable, CustomStringConvertible {
    /// The system has no Vulkan loader.
    case noLoader
    /// The loader finds no device: no driver is installed, or none that works here.
    case noDriver
    /// A device was asked for that is not there.
    case noDevice(index: Int, count: Int)
    /// No device has such a name.
    case noDeviceNamed(String, names: [String])
    /// All devices compute on the processor, which is slower than the processor's own kernels.
    case onlySoftware(names: [String])
    /// The device computes something else than the processor does.
    case wrongResult(kernel: String)
    /// The device lacks something that every kernel needs.
    case unusable(device: String, reason: String)
    /// Neither host nor device has the memory.
    case outOfMemory(byteCount: Int)
    /// The device is gone: a fault, a reset, or a background app.
    case lost
    /// The device had not finished after this time.
    case timedOut(seconds: Double)
    /// The driver did not compile a kernel.
    case compilation(kernel: String, result: Int32)
    /// Metal did not compile the text of a kernel, and said why.
    case refusedText(kernel: String, reason: String)
    /// The app is in the background, where the system lets no app use the GPU: it computes again when the app comes back.
    case inBackground
    /// A call that the device's limits or the kernel's interface do not allow.
    case invalid(String)
    /// Another failure of the driver, with its result.
    case driver(operation: String, result: Int32)

    package var description: String {
        switch self {
        case .noLoader: "libvulkan.so.1 is not installed; install the Vulkan loader and the driver of the GPU"
        case .noDriver:
            "the Vulkan loader finds no GPU: install its driver, and let this user open it (/dev/dri)"
        case .noDevice(let index, let count): "GPU \(index) was asked for, and there are \(count), counted from 0"
        case .noDeviceNamed(let name, let names):
            "no GPU is named “\(name)”; there are: \(names.joined(separator: ", "))"
        case .onlySoftware(let names):
            "\(names.joined(separator: ", ")) computes on the processor and is used only where it is named"
        case .wrongResult(let kernel): "what the GPU computes with the kernel \(kernel) is wrong"
        case .unusable(let device, let reason): "\(device) is not used: \(reason)"
        case .outOfMemory(let byteCount): "the GPU has no memory for \(byteCount) bytes"
        case .lost: "the GPU was lost"
        case .timedOut(let seconds): "the GPU had not finished after \(seconds) s"
        case .compilation(let kernel, let result): "the driver did not compile the kernel \(kernel) (result \(result))"
        case .refusedText(let kernel, let reason): "Metal did not compile the kernel \(kernel): \(reason.prefix(500))"
        case .inBackground: "the app is in the background"
        case .invalid(let reason): reason
        case .driver(let operation, let result): "\(operation) failed in the GPU's driver (result \(result))"
        }
    }
}
