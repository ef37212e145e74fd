#if !LEAP_METAL_TESTS
    import LeapGPU
    import Testing

    extension GPUTests {
        /// The properties of a device of Vulkan.
        struct VulkanDeviceTests {
            @Test("Devices are listed with their limits, and one that is not there is an error with the count")
            func list() throws {
                let instance = try VulkanInstance()
                let properties = try TestGPU().device.properties
                #expect(instance.devices.contains(properties))
                #expect(!properties.name.isEmpty && properties.memoryByteCount > 0)
                // What the specification guarantees.
                #expect(properties.bindingByteCount >= 1 << 27 && properties.bufferByteCount >= 1 << 30)
                #expect(properties.groupCounts.allSatisfy { $0 >= 65535 })
                #expect(properties.bindingAlignment <= 256)
                let count = instance.devices.count
                for index in [-1, count, Int(UInt32.max)] {
                    #expect(throws: GPUError.noDevice(index: index, count: count)) {
                        try VulkanDevice(instance, index: index)
                    }
                }
            }
        }
    }
#endif
