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
        let planned = layout
        let bind = { (device: any GPUDevice) throws(GPUError) -> GPUModel in
            try GPUModel(part.stack, from: first, head: part.head, planned, device, weights)
        }
        let bound = try bind(device)
        let used = GPUModel.matrices(part.stack, from: first, head: part.head)
        let clock = ContinuousClock(), start = clock.now
        device.prepare(bound.kernels(used))
        var test = SelfTest(device, gpu.pipelines)
        var failures: [GPUError]
        do throws(GPUError) { failures = try test.findKernels(bound, used) } catch {
            // The kernels may be those of an earlier start, from a file that was damaged.
            device.discardKeptKernels()
            throw error
        }
        for failure in failures {
            onNotice("\(device.properties.name): \(failure): it computes with other kernels")
        }
        let names = "\(device.properties.name) \(device.properties.driver) \(KernelFile.vulkanIdentity)"
        // Those that stand in may round otherwise.
        let dropped = gpu.pipelines.dropped.sorted().map { " without \($0)" }.joined()
        let arithmetic = "\(names)\(dropped) from layer \(first)\(part.head == nil ? "" : " and head")"
        let claim = gpu.budget.claim(bound.weights.byteCount, for: .weights)
        let makeArena = { (canGrow: Bool) throws(GPUError) -> StateArena in
            try StateArena.forPages(
                device, gpu.budget, pageByteCount: planned.pageByteCount, count: part.pageCount, canGrow: canGrow,
                arithmetic: arithmetic)
        }
        var arena = try makeArena(gpu.pipelines.joinsPages(bound.keyValueType))
        if arena.isGrowing, let failure = try test.findChunkFailure(bound) {
            onNotice("\(device.properties.name): \(failure): keys and values lie in one buffer")
            arena = try makeArena(false)
            failures.append(failure)
        }
        // What failed may be those of an earlier start too.
        if !failures.isEmpty { device.discardKeptKernels() }
        // Parts of an audio decoder share a report, and parts of an engine the kernels.
        report.change { use in
            use.kernels.formUnion(gpu.pipelines.kernels.map(\.entry))
            use.kernelTime += clock.now - start
        }
        // A sequence has two places for its state.
        let states =
            try bound.recurrences.isEmpty
            ? nil
            : StateArena.forStates(
                device, gpu.budget, byteCount: 2 * layout.recurrentByteCount, arithmetic: arithmetic)
        (layout.pages, layout.states) = (arena, states)
        return GPUPass(
            bound, firstLayer: first, part.role, gpu, arena, states: states, claim, bind: bind, report,
            onNotice: onNotice)
    }
}
