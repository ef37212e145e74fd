package import LeapGPU

#if LEAP_METAL_STUB
    import LeapMetalOverStub
#elseif LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import LeapMetal
#endif

/// The GPUs of the system: Metal's on Apple's, Vulkan's elsewhere.
package enum SystemGPUs {
    /// Opens a device.
    ///
    /// - Parameter choice: its number, counted from 0, or a part of its name; nil takes what the environment names,
    ///   else the first one that is not a software renderer.
    package static func open(_ choice: String?) throws(GPUError) -> any GPUDevice {
        #if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
            try MetalDevices.open(choice)
        #else
            try GPUDevices.open(choice)
        #endif
    }

    /// All devices, and what becomes of each.
    package static func survey() -> GPUSurvey {
        GPUSurvey { () throws(GPUError) in
            #if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
                MetalDevices.properties
            #else
                try GPUDevices.all()
            #endif
        }
    }
}
