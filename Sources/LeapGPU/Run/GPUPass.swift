package import LeapCompute
package import LeapModel

/// Computes the last layers of a stack on a device, and leaves them to the processor where the device fails.
package final class GPUPass: LayerSuffix {
    package let firstLayer: Int
    private let role: GPUPart.Role
    let gpu: SharedGPU
    var device: any GPUDevice { gpu.device }
    var pipelines: Pipelines { gpu.pipelines }
    var pacer: Pacer { gpu.pacer }
    /// The layers where the device reads them.
    var model: GPUModel
    /// Makes a device read the layers.
    let bind: (any GPUDevice) throws(GPUError) -> GPUModel
    /// The opening of the device that the layers and buffers are of; see ``SharedGPU/generation``.
    var generation: Int
    /// The pages of sequences.
    let arena: StateArena
    /// The states that recurrent layers keep of sequences; nil without such layers.
    let states: StateArena?
    var scratch: Scratch
    /// The count of the weights, as long as they are on the device.
    var claim: MemoryBudget.Claim
    /// The commands of batches before.
    var plans = Plans()
    private let report: DeviceReport
    private let onNotice: (String) -> Void
    /// The reason why the device computes no more; nil while it does.
    package private(set) var fault: GPUError?
    /// The notices that were given already.
    private var said: Set<String> = []
    /// Batches that the device computed, and runs of kernels of the latest.
    package private(set) var batchCount = 0
    package var dispatchCount: Int { load.dispatchCount }
    /// The work that the device was given for the latest batch.
    package internal(set) var load = GPULoad.none

    /// - Parameters:
    ///   - bind: makes a device read the layers once more.
    ///   - report: told of passes and of a failure.
    ///   - onNotice: takes what a log should say.
    init(
        _ model: GPUModel, firstLayer: Int, _ role: GPUPart.Role, _ gpu: SharedGPU, _ arena: StateArena,
        states: StateArena?, _ claim: MemoryBudget.Claim,
        bind: @escaping (any GPUDevice) throws(GPUError) -> GPUModel, _ report: DeviceReport,
        onNotice: @escaping (String) -> Void
    ) {
        self.model = model
        self.claim = claim
        self.bind = bind
        generation = gpu.generation
        self.firstLayer = firstLayer
        self.role = role
        self.gpu = gpu
        self.arena = arena
        self.states = states
        self.report = report
        self.onNotice = onNotice
        scratch = Scratch(gpu.device)
    }

    /// The device's name.
    package var deviceName: String { device.properties.name }

    /// Names the device and what it computes: the same inputs give the same bits where it is the same.
    package var arithmetic: String { arena.arithmetic }

    /// The number of layers that it computes.
    package var layerCount: Int { model.layers.count }

    /// True if it computes the products with the output head's matrix.
    package var computesHead: Bool { model.head != nil }

    package func run(_ batch: SuffixBatch) throws(EngineError) -> SuffixOutput? {
        if fault == nil, let loss = gpu.loss { fail(loss) }
        // Where one part fails of those that have a report in common, the others stop too.
        guard fault == nil, report.use.failure == nil else {
            report.change { $0.processorPasses += 1 }
            return nil
        }
        guard !batch.hasAdapters else {
            return leave("the processor computes layers with adapters")
        }
        do { try followDevice() } catch { return try stop(error, batch) }
        let generation = memoryGeneration
        guard let pages = pages(of: batch) else {
            return leave(role.overflow(positions: arena.slotCount * StatePage.length))
        }
        guard canAttend(to: pages) else {
            return leave("the processor computes batches whose pages in several buffers the device cannot attend to")
        }
        guard batch.keptLayers.isEmpty || batch.wanted.count == batch.stream.count else {
            return leave("the processor computes batches of which only some results are needed")
        }
        guard batch.stream.count <= model.rowLimit else {
            return leave("the processor computes batches of \(batch.stream.count) positions")
        }
        guard let kept = statePlaces(of: batch) else {
            return leave(
                "its memory for the recurrent states of \(states?.slotCount ?? 0) conversations is full: the processor computes others"
            )
        }
        guard canKeep(kept) else {
            return leave("the processor computes batches that keep recurrent states at many positions")
        }
        var tables: [Int: UnsafePointer<Float>] = [:]
        for index in Set(model.rotations.flatMap(\.indices)) { tables[index] = try batch.rotations(index) }
        do {
            let places = BatchPlaces(pages: pages, states: kept, generation: generation)
            let output = try computeWithRetries(batch, places, tables)
            batchCount += 1
            report.change { $0.passes += 1 }
            return output
        } catch {
            return try stop(error, batch)
        }
    }

    /// Leaves a batch to the processor because the device failed at it, and all later ones too where it will not
    /// recover.
    private func stop(_ error: GPUError, _ batch: SuffixBatch) throws(EngineError) -> SuffixOutput? {
        if error == .inBackground {
            return leave("while the app is in the background, the processor computes all layers")
        }
        report.change { $0.processorPasses += 1 }
        gpu.note(error)
        fail(error)
        if error.code == .timedOut {
            arena.retire()
            states?.retire()
            try batch.leaveDevice()
            // The device may still write into what belongs to this.
            _ = Unmanaged.passRetained(self)
        }
        return nil
    }

    /// Computes no more.
    private func fail(_ error: GPUError) {
        fault = error
        plans.removeAll()
        // Said once for all parts that have a report in common.
        guard report.use.failure == nil else { return }
        report.change { ($0.layers, $0.computesHead, $0.failure) = (0, false, "\(error)") }
        onNotice("\(error): \(role.fallback)")
    }

    /// Leaves a batch to the processor, and says why when it happens first.
    private func leave(_ reason: String) -> SuffixOutput? {
        report.change { $0.processorPasses += 1 }
        notice(reason)
        return nil
    }

    /// Gives a notice about the device once.
    func notice(_ text: String) {
        if said.insert(text).inserted { onNotice("\(device.properties.name): \(text)") }
    }

    /// The generation of the memory of pages and states; see ``StateArena/generation``.
    ///
    /// Another thread may give pages back: what is looked up behind this is of this generation or a later one.
    private var memoryGeneration: Int { arena.generation + (states?.generation ?? 0) }

    /// The places of a batch's pages and states; nil where some lie elsewhere.
    func places(of batch: SuffixBatch) -> BatchPlaces? {
        let generation = memoryGeneration
        guard let pages = pages(of: batch), let states = statePlaces(of: batch) else { return nil }
        return BatchPlaces(pages: pages, states: states, generation: generation)
    }

    /// The pages of each segment's sequence that its positions see; nil where one lies outside of the arena.
    private func pages(of batch: SuffixBatch) -> [SeenPages]? {
        var pages: [SeenPages] = []
        for segment in batch.segments {
            var end = segment.start + segment.rows.count
            if let last = batch.imageEnds.isEmpty ? nil : batch.imageEnds[segment.rows].max() {
                end = max(end, Int(last) + 1)
            }
            let first = model.window.map { max(0, segment.start - $0 + 1) / StatePage.length } ?? 0
            var places: [StateArena.Place] = []
            for index in first..<(end + StatePage.length - 1) / StatePage.length {
                guard let place = arena.place(of: batch.page(index, of: segment.sequence)) else { return nil }
                places.append(place)
            }
            pages.append(SeenPages(first: first, places: places))
        }
        return pages
    }
}

/// The pages of a sequence that the positions of a segment see.
struct SeenPages {
    /// The index of the first of them among the sequence's pages.
    let first: Int
    let places: [StateArena.Place]
}

/// The places of a batch's pages and states.
struct BatchPlaces {
    /// The pages of each segment.
    let pages: [SeenPages]
    /// The states of each segment; none without recurrent layers.
    let states: [StatePlaces]
    /// The generation of their memory; see ``StateArena/generation``.
    let generation: Int
}
