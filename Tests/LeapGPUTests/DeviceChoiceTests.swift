import LeapGPU
import Testing

/// The choice of a device.
struct DeviceChoiceTests {
    private func device(_ name: String, _ kind: GPUProperties.Kind, obstacle: String? = nil) -> GPUProperties {
        GPUProperties(
            name: name, driver: "", kind: kind, memoryByteCount: 1, isUnified: true, bindingByteCount: 1,
            bufferByteCount: 1, bindingAlignment: 1, hostMemoryAlignment: nil, groupCounts: [1, 1, 1], subgroupSize: 1,
            obstacle: obstacle)
    }

    @Test("What becomes of each device is told, and why none is used")
    func survey() {
        let devices = [
            device("llvmpipe (LLVM 15)", .processor), device("Iris", .integrated),
            device("Old card", .discrete, obstacle: "its driver has no 16-bit storage"), device("Card", .discrete),
        ]
        let free = GPUSurvey(devices, choice: nil)
        #expect(free.device?.name == "Card" && free.problem == nil)
        #expect(
            devices.indices.map(free.remark) == [
                "used only if you name it: it runs on the processor", "used if you name it",
                "not used: its driver has no 16-bit storage", "used if a GPU is to run layers",
            ])
        let named = GPUSurvey(devices, choice: "llvm")
        #expect(named.device?.name == "llvmpipe (LLVM 15)" && named.remark(0) == "used, because LEAP_GPU names it")
        #expect(named.remark(3) == "used if you name it")
        let old = GPUSurvey(devices, choice: "2")
        #expect(old.device == nil)
        #expect(old.problem == .unusable(device: "Old card", reason: "its driver has no 16-bit storage"))
        let software = GPUSurvey([devices[0]], choice: nil)
        #expect(software.device == nil && software.problem == .onlySoftware(names: ["llvmpipe (LLVM 15)"]))
        #expect(GPUSurvey([], choice: nil).problem == .noDriver)
        #expect(GPUSurvey(devices, choice: "4294967295").problem == .noDevice(index: 4_294_967_295, count: 4))
        #expect(GPUSurvey(devices, choice: "Arc").problem == .noDeviceNamed("Arc", names: devices.map(\.name)))
    }

    @Test("By number or a part of the name; without either one that is no renderer in software, the strongest first")
    func choice() throws {
        let devices = [
            device("llvmpipe (LLVM 15)", .processor), device("Iris", .integrated),
            device("Old card", .discrete, obstacle: "x"),
            device("Card", .discrete),
        ]
        #expect(try GPUDevices.index(of: nil, in: devices) == 3)
        #expect(try GPUDevices.index(of: nil, in: Array(devices[...1])) == 1)
        #expect(try GPUDevices.index(of: "0", in: devices) == 0)
        #expect(try GPUDevices.index(of: "LLVMpipe", in: devices) == 0)
        #expect(try GPUDevices.index(of: "card", in: devices) == 3)
        #expect(try GPUDevices.index(of: "old", in: devices) == 2)
        #expect(throws: GPUError.onlySoftware(names: ["llvmpipe (LLVM 15)"])) {
            try GPUDevices.index(of: nil, in: [devices[0]])
        }
        #expect(throws: GPUError.noDevice(index: 4, count: 4)) { try GPUDevices.index(of: "4", in: devices) }
        #expect(throws: GPUError.noDevice(index: -1, count: 4)) { try GPUDevices.index(of: "-1", in: devices) }
        #expect(throws: GPUError.noDeviceNamed("Arc", names: devices.map(\.name))) {
            try GPUDevices.index(of: "Arc", in: devices)
        }
        #expect(throws: GPUError.noDriver) { try GPUDevices.index(of: nil, in: []) }
    }
}
