package import LeapCPU
package import LeapCompute
package import LeapModel

/// A processor, and a GPU that computes the last layers of one model.
///
/// Where there is no GPU, or it cannot compute what is asked for, the processor computes all of it.
package final class SplitDevice: Device {
    private let cpu: CPUDevice
    private let model: ObjectIdentifier
    private let layerCount: Int
    private let readLayerCount: Int
    private let report: DeviceReport
    private let open: () throws(GPUError) -> any GPUDevice
    private let onNotice: (String) -> Void
    /// The pass of the layers that the GPU was given, of the executor that was made last; nil where it was given none.
    package private(set) var pass: GPUPass?

    /// - Parameters:
    ///   - model: the model whose layers the GPU computes; others stay with the processor.
    ///   - layerCount: how many of its last layers; as many as it has or more mean all of them and the output head.
    ///   - readLayerCount: how many of its first layers stay with the processor, because a draft model reads what lies behind them.
    ///   - report: told which layers the GPU computes, and whether it failed.
    ///   - open: opens the GPU, when the model's executor is made.
    ///   - onNotice: takes what a log should say: which layers the GPU computes, or why it computes none, and later that it failed.
    package init(
        _ cpu: CPUDevice, model: Model, layerCount: Int, readLayerCount: Int = 0,
        report: DeviceReport = DeviceReport(), open: @escaping () throws(GPUError) -> any GPUDevice,
        onNotice: @escaping (String) -> Void
    ) {
        self.cpu = cpu
        self.model = ObjectIdentifier(model)
        self.layerCount = layerCount
        self.readLayerCount = readLayerCount
        self.report = report
        self.open = open
        self.onNotice = onNotice
    }

    package func makeExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor {
        makeSplitExecutor(for: model, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
    }

    /// The same, as what it is: the processor's executor, some of whose layers the GPU computes.
    package func makeSplitExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) -> CPUExecutor {
        var layout = CacheLayout(model.layers.stack, keyValueType: keyValueType, pool: memory)
        if ObjectIdentifier(model) == self.model, layerCount > 0 {
            pass = prepare(model, &layout, contextSize: contextSize)
        }
        let executor = CPUExecutor(model: model, layout: layout, kernels: cpu.kernels, contextSize: contextSize)
        if ObjectIdentifier(model) == self.model { executor.pass.suffix = pass }
        return executor
    }

    package func makeDraftExecutor(
        for drafter: BlockDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any BlockDraftExecutor {
        try cpu.makeDraftExecutor(
            for: drafter, target: target, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
    }

    package func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass {
        try cpu.makePass(for: encoder, memory: memory)
    }

    package func makeSpeechExecutor(
        for decoder: SpeechDecoder, memory: MemoryPool
    ) throws(EngineError) -> any SpeechExecutor {
        cpu.makeSpeechExecutor(for: decoder, memory: memory)
    }

    // MARK: The GPU

    /// Has the GPU take its layers, and says how far it came.
    private func prepare(_ model: Model, _ layout: inout CacheLayout, contextSize: Int) -> GPUPass? {
        let split = GPUSplit(
            model, layerCount: layerCount, readLayerCount: readLayerCount, keyValueType: layout.keyValueType)
        report.change { $0.modelLayers = split.totalCount }
        guard split.firstLayer < split.totalCount else {
            notice(split.obstacle ?? "the model has no layers")
            return nil
        }
        do {
            let device = try open()
            let pass = try prepare(model, split, device, &layout, contextSize: contextSize)
            report.change { use in
                use.device = device.properties.name
                use.layers = split.totalCount - split.firstLayer
                use.computesHead = pass.computesHead
                use.note = split.obstacle ?? (split.computesHead && !pass.computesHead ? Self.headNote : nil)
            }
            onNotice("nGpuLayers is \(countText): \(report.use)")
            return pass
        } catch {
            (layout.pages, layout.states) = (nil, nil)
            notice("\(error)")
            return nil
        }
    }

    private static let headNote = "the output head stays with the CPU: logits of one token are more than a kernel sees"

    private func notice(_ why: String) {
        report.change { $0.note = why }
        onNotice("nGpuLayers is \(countText), but no GPU computes: \(why); the CPU runs every layer")
    }

    private var countText: String { layerCount >= Int(UInt32.max) ? "all" : "\(layerCount)" }

    private func prepare(
        _ model: Model, _ split: GPUSplit, _ device: any GPUDevice, _ layout: inout CacheLayout, contextSize: Int
    ) throws(GPUError) -> GPUPass {
        let (stack, head) = (model.layers.stack, split.computesHead ? model.layers.head : nil)
        let bound = try GPUModel(stack, from: split.firstLayer, head: head, layout, device)
        let pipelines = GPUPipelines(device)
        let matrices = stack.layers[split.firstLayer...].flatMap(GPULayer.matrices)
        let used = matrices + (head.map { [$0.matrix] } ?? [])
        device.prepare(bound.kernels(used))
        var test = GPUSelfTest(device, pipelines)
        try test.run(bound, used)
        let names = "\(device.properties.name) \(device.properties.driver) \(GPUKernel.identity)"
        let arithmetic = "\(names) from layer \(split.firstLayer)\(head == nil ? "" : " and head")"
        let arena = try GPUStateArena.forPages(
            device, pageByteCount: layout.pageByteCount, contextSize: contextSize, arithmetic: arithmetic)
        // A sequence has two places for its state.
        let states =
            try bound.recurrences.isEmpty
            ? nil
            : GPUStateArena.forStates(device, byteCount: 2 * layout.recurrentByteCount, arithmetic: arithmetic)
        layout.pages = arena
        layout.states = states
        return GPUPass(
            bound, firstLayer: split.firstLayer, device, arena, states: states, pipelines, report, onNotice: onNotice)
    }
}

/// The split of a model's layers between the processor and a GPU.
struct GPUSplit {
    /// The first of them, as many as the model has where it computes none.
    let firstLayer: Int
    let totalCount: Int
    /// True if it computes the output head too.
    let computesHead: Bool
    /// The reason why it computes less than was asked for; nil if it computes all of it.
    let obstacle: String?

    init(_ model: Model, layerCount: Int, readLayerCount: Int = 0, keyValueType: KeyValueType) {
        let stack = model.layers.stack
        totalCount = stack.layers.count
        let asked = max(0, totalCount - min(layerCount, totalCount))
        var (first, reason): (Int, String?) = (totalCount, nil)
        if case .rms(let norm)? = stack.outputNorm, norm.weight != nil {
            while first > asked {
                reason = GPULayer.obstacle(stack.layers[first - 1], of: stack, keyValueType: keyValueType)
                if let found = reason {
                    reason = "layer \(first) of \(totalCount) stays with the CPU, as those before it: \(found)"
                    break
                }
                first -= 1
            }
        } else {
            reason = "the norm behind the layers has no kernel"
        }
        // Behind the last layer that looks at other positions there are the wanted rows only.
        if first > stack.lastKeepingLayer || !stack.layers[first...].contains(where: { $0.mixer != nil }),
            first < totalCount
        {
            reason = "the last \(totalCount - first) layers stay with the CPU: they are networks alone"
            first = totalCount
        }
        if first < stack.additionCount, first < totalCount {
            first = min(stack.additionCount, totalCount)
            reason = "the first \(stack.additionCount) layers stay with the CPU: pictures add to what lies behind them"
        }
        if first < readLayerCount, first < totalCount {
            first = min(readLayerCount, totalCount)
            reason = "the first \(readLayerCount) layers stay with the CPU: the draft model reads what lies behind them"
        }
        firstLayer = first
        var headObstacle: String?
        if let head = model.layers.head, layerCount >= totalCount, first < totalCount {
            headObstacle = GPULayer.obstacle([head.matrix])
            computesHead = headObstacle == nil
        } else {
            computesHead = false
        }
        obstacle = reason ?? headObstacle.map { "the output head stays with the CPU: \($0)" }
    }
}
