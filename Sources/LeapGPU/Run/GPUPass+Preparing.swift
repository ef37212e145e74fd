package import LeapCompute
import LeapModel

extension GPUPass {
    /// Has a device take the layers of a part: their weights, room for their state, and kernels that were tried.
    ///
    /// - Parameters:
    ///   - weights: reads the part's weights as the processor does.
    ///   - layout: gets the memory of pages and states that the device reads too.
    ///   - report: told of passes and of a failure.
    ///   - onNotice: takes what a log should say.
    package static func prepare(
        _ part: GPUPart, on gpu: SharedGPU, _ weights: any WeightReader, _ layout: inout CacheLayout,
        _ report: DeviceReport,
        onNotice: @escaping (String) -> Void
    ) throws(GPUError) -> GPUPass {
        let (device, first) = (gpu.device, part.split.firstLayer)
        let bound = try GPUModel(part.stack, from: first, head: part.head, layout, device, weights)
        let used = GPUModel.matrices(part.stack, from: first, head: part.head)
        let clock = ContinuousClock(), start = clock.now
        device.prepare(bound.kernels(used))
        var test = SelfTest(device, gpu.pipelines)
        do throws(GPUError) { try test.run(bound, used) } catch {
            // The kernels may be those of an earlier start, from a file that was damaged.
            device.discardKeptKernels()
            throw error
        }
        // Parts of an audio decoder share a report, and parts of an engine the kernels.
        report.change { use in
            use.kernels.formUnion(gpu.pipelines.kernels.map(\.entry))
            use.kernelTime += clock.now - start
        }
        let names = "\(device.properties.name) \(device.properties.driver) \(KernelFile.vulkanIdentity)"
        let arithmetic = "\(names) from layer \(first)\(part.head == nil ? "" : " and head")"
        let arena = try StateArena.forPages(
            device, pageByteCount: layout.pageByteCount, count: part.pageCount, arithmetic: arithmetic)
        // A sequence has two places for its state.
        let states =
            try bound.recurrences.isEmpty
            ? nil
            : StateArena.forStates(device, byteCount: 2 * layout.recurrentByteCount, arithmetic: arithmetic)
        (layout.pages, layout.states) = (arena, states)
        return GPUPass(bound, firstLayer: first, part.role, gpu, arena, states: states, report, onNotice: onNotice)
    }
}
