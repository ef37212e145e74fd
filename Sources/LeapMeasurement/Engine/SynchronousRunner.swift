package import LeapCPU
package import LeapCompute
import LeapDevices
import LeapGPU
package import LeapModel
package import LeapTokenizer

/// Sequences that are computed on the calling thread, for measurements and tests.
package final class SynchronousRunner {
    package let executor: CPUExecutor
    /// The sequence that ``run(_:wanted:)`` computes.
    package private(set) var sequence: SequenceState
    private let contextSize: Int
    private let gpuReport: DeviceReport?
    /// The use of the GPU; nil where no layers were asked for.
    package var gpu: DeviceUse? { gpuReport?.use }

    /// The pass that runs the layers.
    package var pass: ForwardPass { executor.pass }
    /// Logits of one position.
    package var vocabularySize: Int { executor.vocabularySize }
    /// The layout of the sequences' cache.
    package var layout: CacheLayout { pass.layout }

    /// Prepares for a model.
    ///
    /// - Parameters:
    ///   - contextSize: the maximum number of positions of a sequence.
    ///   - gpuLayers: how many of the last layers a GPU computes, the one that the environment names or the first one.
    /// - Throws: `EngineError` with code `outOfMemory`, or `unsupportedTask` for models that write no text.
    package init(
        model: Model, keyValueType: KeyValueType, precision: Precision = .fast, threads: Int, contextSize: Int,
        gpuLayers: Int = 0
    ) throws(EngineError) {
        guard model.generatesText else { throw .writesNoText }
        self.contextSize = contextSize
        let report = gpuLayers > 0 ? DeviceReport() : nil
        gpuReport = report
        let cpu = try CPUDevice(threads: threads, precision: precision)
        if let report {
            let device = SplitDevice(
                cpu, model: model, layerCount: gpuLayers, report: report,
                open: { () throws(GPUError) in try SystemGPUs.open(nil) }, onNotice: { _ in })
            executor = device.makeSplitExecutor(
                for: model, keyValueType: keyValueType, contextSize: contextSize, memory: MemoryPool())
        } else {
            executor = CPUExecutor(
                model: model,
                layout: cpu.layout(of: model.layers.stack, keyValueType: keyValueType, memory: MemoryPool()),
                kernels: cpu.kernels, contextSize: contextSize)
        }
        sequence = executor.makeSequence(limit: contextSize)
    }

    /// Starts over with an empty sequence.
    package func reset() { sequence = makeSequence() }

    /// Another empty sequence.
    package func makeSequence() -> SequenceState { executor.makeSequence(limit: contextSize) }

    /// Computes the next tokens; the logits are valid until the next run.
    ///
    /// - Parameter isPrompt: whether they are those of a prompt; see ``BatchSegment/isPrompt``.
    package func run(
        _ tokens: ArraySlice<TokenID>, wanted: BatchSegment.Wanted, isPrompt: Bool = false
    ) throws(EngineError) -> UnsafeMutableBufferPointer<Float> {
        var segment = BatchSegment(sequence: sequence, tokens: tokens, wanted: wanted)
        segment.isPrompt = isPrompt
        return try run([segment])
    }

    /// Computes a batch of any sequences; the logits, those of one segment behind the other, are valid until the next
    /// run.
    package func run(_ batch: [BatchSegment]) throws(EngineError) -> UnsafeMutableBufferPointer<Float> {
        guard let logits = try executor.run(batch) else { throw EngineError(.cancelled, "the pass was stopped") }
        let count = logits.reduce(0) { $0 + $1.count * $1.length }
        return UnsafeMutableBufferPointer(start: logits.first?.base, count: count)
    }
}
