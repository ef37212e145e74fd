package import LeapCompute
package import LeapModel

/// The threads of the processor.
package final class CPUDevice: Device {
    package let kernels: Kernels

    /// Starts threads.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    package init(threads: Int, precision: Precision = .fast) throws(EngineError) {
        kernels = try Kernels(threads: threads, precision: precision)
    }

    package func makeExecutor(
        for model: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) -> any Executor {
        let layout = layout(of: model.layers.stack, keyValueType: keyValueType, memory: memory)
        return CPUExecutor(model: model, layout: layout, kernels: kernels, contextSize: contextSize)
    }

    package func makeExecutor(
        for model: Model, draftLayers: DraftLayers?, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) -> any Executor {
        let layout = layout(
            of: model.layers.stack, draftLayers: draftLayers, keyValueType: keyValueType, memory: memory)
        return CPUExecutor(
            model: model, draftLayers: draftLayers, layout: layout, kernels: kernels, contextSize: contextSize)
    }

    /// Lays out the cache of layers that write text.
    package func layout(
        of stack: LayerStack, draftLayers: DraftLayers? = nil, keyValueType: KeyValueType, memory: MemoryPool
    ) -> CacheLayout {
        var layout = CacheLayout(stack, draftLayers: draftLayers, keyValueType: keyValueType, pool: memory)
        layout.precision = kernels.precision
        return layout
    }

    package func makeDraftExecutor(
        for drafter: BlockDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any BlockDraftExecutor {
        let layout = layout(of: drafter.stack, keyValueType: keyValueType, memory: memory)
        return try BlockDraftPass(
            drafter, target: target, layout: layout, kernels: kernels, contextSize: contextSize)
    }

    package func makeAssistantExecutor(
        for drafter: AssistantDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any DraftStepExecutor {
        let layout = layout(of: drafter.stack, keyValueType: keyValueType, memory: memory)
        return try AssistantPass(drafter, target: target, layout: layout, kernels: kernels, contextSize: contextSize)
    }

    package func makePass(for encoder: any MediaEncoder, memory: MemoryPool) throws(EngineError) -> any MediaPass {
        switch encoder {
        case let encoder as VisionEncoder: return VisionPass(encoder, kernels: kernels, memory: memory)
        case let encoder as AudioEncoder: return AudioPass(encoder, kernels: kernels, memory: memory)
        case let encoder as GemmaAudioEncoder: return GemmaAudioPass(encoder, kernels: kernels, memory: memory)
        default: throw .readsNo(encoder.medium)
        }
    }

    package func makeSpeechExecutor(for decoder: SpeechDecoder, memory: MemoryPool) -> any SpeechExecutor {
        makeSpeechPass(for: decoder, memory: memory)
    }

    package func limitThreads(to count: Int) { kernels.limitThreads(to: count) }

    /// The same, as what it is.
    package func makeSpeechPass(for decoder: SpeechDecoder, memory: MemoryPool) -> SpeechPass {
        SpeechPass(decoder, kernels: kernels, memory: memory)
    }
}
