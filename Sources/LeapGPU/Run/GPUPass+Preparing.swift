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
        device.prepare(bound.kernels(used))
        var test = SelfTest(device, gpu.pipelines)
        for failure in try test.findKernels(bound, used) {
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
