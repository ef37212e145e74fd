import CLeapVulkan

/// Results of CLeapVulkan's functions as errors.
enum VulkanResult {
    /// VK_ERROR_OUT_OF_HOST_MEMORY and VK_ERROR_OUT_OF_DEVICE_MEMORY.
    private static let outOfMemory: [Int32] = [-1, -2, LEAP_VULKAN_NO_HOST_MEMORY]
    /// VK_ERROR_DEVICE_LOST.
    private static let lost: Int32 = -4
    /// VK_ERROR_INCOMPATIBLE_DRIVER: what a loader says that finds no driver.
    static let noDriver: Int32 = -9

    static func check(_ result: Int32, _ operation: String, byteCount: Int = 0) throws(GPUError) {
        if result == 0 { return }
        if outOfMemory.contains(result) { throw .outOfMemory(byteCount: byteCount) }
        if result == lost { throw .lost }
        if result == LEAP_VULKAN_NO_LOADER { throw .noLoader }
        throw .driver(operation: operation, result: result)
    }
}
