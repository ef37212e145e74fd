package import LeapCPU
package import LeapCompute
package import LeapGPU
package import LeapModel

/// A processor, and a GPU that computes the last layers of one model, the layers of audio decoders, those of encoders
/// of pictures, or several of these.
///
/// Where there is no GPU, or it cannot compute what is asked for, the processor computes all of it.
package final class SplitDevice: Device {
    let cpu: CPUDevice
    private let model: ObjectIdentifier
    private let layerCount: Int
    private let readLayerCount: Int
    private let report: DeviceReport
    let speech: Speech?
    /// The report on encoders of pictures; nil where these stay with the processor.
    let pictures: DeviceReport?
    private let open: () throws(GPUError) -> any GPUDevice
    let onNotice: (String) -> Void
    private var gpu: SharedGPU?
    /// The pass of the layers that the GPU was given, of the executor that was made last; nil where it was given none.
    package private(set) var pass: GPUPass?
    /// Those of the audio decoder whose executor was made last: what writes codes, and what makes spectra of them.
    package internal(set) var speechPasses: (depth: GPUPass?, codes: GPUPass?)
    /// That of the encoder of pictures whose pass was made last.
    package internal(set) var imagePass: GPUPass?

    /// The use of the GPU for audio decoders.
    package struct Speech {
        let generationCount: Int
        package let report: DeviceReport

        /// - Parameters:
        ///   - generationCount: generations that speak at a time, at most.
        ///   - report: told which layers the GPU computes, and whether it failed.
        package init(generationCount: Int, report: DeviceReport = DeviceReport()) {
            self.generationCount = generationCount
            self.report = report
        }
    }

    /// - Parameters:
    ///   - model: the model whose layers the GPU computes; others stay with the processor.
    ///   - layerCount: how many of its last layers; as many as it has or more mean all of them and the output head.
    ///   - readLayerCount: how many of its first layers stay with the processor, because a draft model reads what lies
    ///     behind them.
    ///   - report: told which layers the GPU computes, and whether it failed.
    ///   - speech: how the GPU computes the layers of audio decoders; nil leaves them to the processor.
    ///   - pictures: told which layers of an encoder of pictures the GPU computes, and whether it failed; nil leaves
    ///     them to the processor.
    ///   - open: opens the GPU, when the first executor is made that needs it.
    ///   - onNotice: takes what a log should say: which layers the GPU computes, or why it computes none, and later
    ///     that it failed.
    package init(
        _ cpu: CPUDevice, model: Model, layerCount: Int, readLayerCount: Int = 0,
        report: DeviceReport = DeviceReport(), speech: Speech? = nil, pictures: DeviceReport? = nil,
        open: @escaping () throws(GPUError) -> any GPUDevice,
        onNotice: @escaping (String) -> Void
    ) {
        self.cpu = cpu
        self.model = ObjectIdentifier(model)
        self.layerCount = layerCount
        self.readLayerCount = readLayerCount
        self.report = report
        self.speech = speech
        self.pictures = pictures
        self.open = open
        self.onNotice = onNotice
    }

    package func makeExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor {
        makeSplitExecutor(for: model, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
    }

    package func makeExecutor(
        for model: Model, draftLayers: DraftLayers?, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor {
        let isSplit = draftLayers == nil || (ObjectIdentifier(model) == self.model && layerCount > 0)
        if isSplit {
            let split = makeSplitExecutor(
                for: model, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
            guard draftLayers != nil, split.pass.suffix == nil else {
                if draftLayers != nil { onNotice(Self.draftNote) }
                return split
            }
        }
        return cpu.makeExecutor(
            for: model, draftLayers: draftLayers, keyValueType: keyValueType, contextSize: contextSize,
            memory: memory)
    }

    /// The same, as what it is: the processor's executor, some of whose layers the GPU computes.
    package func makeSplitExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) -> CPUExecutor {
        var layout = cpu.layout(of: model.layers.stack, keyValueType: keyValueType, memory: memory)
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

    package func makeAssistantExecutor(
        for drafter: AssistantDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any DraftStepExecutor {
        try cpu.makeAssistantExecutor(
            for: drafter, target: target, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
    }

    package func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass {
        guard let pictures, let encoder = encoder as? VisionEncoder else {
            return try cpu.makePass(for: encoder, memory: memory)
        }
        return makeSplitPass(for: encoder, pictures, memory: memory)
    }

    package func makeSpeechExecutor(
        for decoder: SpeechDecoder, memory: MemoryPool
    ) throws(EngineError) -> any SpeechExecutor {
        speech.map { makeSplitExecutor(for: decoder, $0, memory: memory) }
            ?? cpu.makeSpeechExecutor(for: decoder, memory: memory)
    }

    package func limitThreads(to count: Int) { cpu.limitThreads(to: count) }

    // MARK: The GPU

    /// Has the GPU take its layers, and says how far it came.
    private func prepare(_ model: Model, _ layout: inout CacheLayout, contextSize: Int) -> GPUPass? {
        let split = GPUSplit(
            model.layers.stack, head: model.layers.head, layerCount: layerCount, readLayerCount: readLayerCount,
            keyValueType: layout.keyValueType)
        report.change { $0.modelLayers = split.totalCount }
        guard split.firstLayer < split.totalCount else {
            notice(split.obstacle ?? "the model has no layers")
            return nil
        }
        let part = GPUPart(
            role: .languageModel, stack: model.layers.stack, head: model.layers.head, split: split,
            pageCount: GPUPart.pages(contextSize: contextSize))
        do {
            let pass = try GPUPass.prepare(
                part, on: try shared(), CPUWeightReader(), &layout, report, onNotice: onNotice)
            report.change { use in
                use.device = pass.deviceName
                use.layers = split.totalCount - split.firstLayer
                use.computesHead = pass.computesHead
                use.note = split.obstacle ?? (split.computesHead && !pass.computesHead ? Self.headNote : nil)
            }
            onNotice("nGpuLayers is \(countText): \(report.use)")
            return pass
        } catch {
            notice("\(error)")
            return nil
        }
    }

    private static let draftNote =
        "the layers that predict further tokens are not used: they run on the CPU only, and a GPU computes layers of the model"
    private static let headNote = "the output head stays on the CPU: its logits are more than a kernel can address"

    private func notice(_ why: String) {
        report.change { $0.note = why }
        onNotice("nGpuLayers is \(countText), but no GPU is used: \(why); the CPU runs every layer")
    }

    private var countText: String { layerCount >= Int(UInt32.max) ? "all" : "\(layerCount)" }

    /// The GPU, opened when it is first needed.
    func shared() throws(GPUError) -> SharedGPU {
        if let gpu { return gpu }
        let opened = SharedGPU(try open(), reopen: open)
        gpu = opened
        return opened
    }
}
