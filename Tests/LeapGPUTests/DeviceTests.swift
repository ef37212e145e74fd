import Foundation
import LeapGPU
import LeapTestSupport
import Testing

extension GPUTests {
    /// The behaviour of any device on calls, and its refusals.
    struct DeviceTests {
        @Test("A barrier orders runs: each of three hundred adds to the sum before")
        func barriers() throws {
            let gpu = try TestGPU(), count = 1000
            let ones = try gpu.buffer([Float](repeating: 1, count: count))
            let sums = try [gpu.buffer([Float](repeating: 0, count: count)), gpu.output(count)]
            let pipeline = try gpu.device.makePipeline(.add), commands = try gpu.device.makeCommands()
            for step in 0..<300 {
                try commands.dispatch(
                    pipeline, [GPUBinding(sums[step % 2]), GPUBinding(ones), GPUBinding(sums[(step + 1) % 2])],
                    constants: [UInt32(count)], groups: (groups(count, of: GPUKernel.elementsPerGroup), 1, 1))
                try commands.barrier()
            }
            try commands.submit()
            try commands.wait(seconds: 120)
            #expect(sums[0].floats == [Float](repeating: 300, count: count))
        }

        @Test("Memory of the host becomes a buffer without a copy, where the device can")
        func hostMemory() throws {
            let gpu = try TestGPU()
            guard let alignment = gpu.device.properties.hostMemoryAlignment else { return }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * alignment, alignment: alignment)
            defer { memory.deallocate() }
            let count = memory.count / 4
            for index in 0..<count { memory.storeBytes(of: Float(index), toByteOffset: index * 4, as: Float.self) }
            do {
                let buffer = try gpu.device.makeBuffer(over: memory), out = try gpu.output(count)
                #expect(buffer.contents.baseAddress == memory.baseAddress)
                try gpu.run(
                    .add, [GPUBinding(buffer), GPUBinding(buffer), GPUBinding(out)], [UInt32(count)],
                    groups: (groups(count, of: GPUKernel.elementsPerGroup), 1, 1))
                #expect(out.floats == (0..<count).map { Float(2 * $0) })
            }
            #expect(throws: GPUError.self) {
                try gpu.device.makeBuffer(over: UnsafeMutableRawBufferPointer(rebasing: memory[4...]))
            }
        }

        @Test("Calls outside of a kernel's interface or the device's limits are refused")
        func refusals() throws {
            let gpu = try TestGPU(), other = try TestGPU()
            let buffer = try gpu.output(64), pipeline = try gpu.device.makePipeline(.add)
            let commands = try gpu.device.makeCommands(), good = GPUBinding(buffer)
            func refuses(_ bindings: [GPUBinding], _ constants: [UInt32] = [64], x: Int = 1) -> Bool {
                do {
                    try commands.dispatch(pipeline, bindings, constants: constants, groups: (x, 1, 1))
                } catch {
                    if error.code == .invalid { return true }
                }
                return false
            }
            #expect(refuses([good, good]))
            #expect(refuses([good, good, good], []))
            #expect(refuses([good, good, good], x: 0))
            #expect(refuses([good, good, good], x: 1 << 32))
            #expect(refuses([good, good, GPUBinding(buffer, 0..<257)]))
            #expect(refuses([good, good, GPUBinding(buffer, 1..<64)]))
            #expect(refuses([good, good, GPUBinding(buffer, 0..<0)]))
            #expect(refuses([good, good, GPUBinding(try other.output(64))]))
            #expect(!refuses([good, good, good]))
            #expect(throws: GPUError.self) { try commands.wait(seconds: 1) }
            try commands.submit()
            #expect(throws: GPUError.self) { try commands.submit() }
            #expect(throws: GPUError.self) { try commands.barrier() }
            #expect(refuses([good, good, good]))
            try commands.wait(seconds: 120)
            // What was waited for is given to a device again, if it keeps commands; nothing is added to it.
            if gpu.device.properties.repeatsCommands {
                try commands.submit()
            } else {
                #expect(throws: GPUError.self) { try commands.submit() }
            }
            #expect(refuses([good, good, good]))
            try commands.wait(seconds: 120)
            for byteCount in [0, -1, Int.max] {
                #expect(throws: GPUError.self) { try gpu.device.makeBuffer(byteCount: byteCount) }
            }
        }
    }
}
