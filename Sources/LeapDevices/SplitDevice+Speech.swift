import LeapCPU
import LeapCompute
import LeapGPU
import LeapModel

/// Audio decoders.
extension SplitDevice {
    /// The most generations whose speech there is room for.
    private static let speakingMax = 64
    /// Pages of a sound: the window lies in two at most, and the first one stands for those that were given back.
    private static let pagesOfSound = 3

    /// Has the GPU take the layers of an audio decoder, and says how far it came.
    func makeSplitExecutor(for decoder: SpeechDecoder, _ speech: Speech, memory: MemoryPool) -> SpeechPass {
        let all = decoder.depth.stack.layers.count + decoder.codes.stack.layers.count
        speech.report.change { $0.modelLayers = all }
        speechPasses = (nil, nil)
        do {
            let gpu = try shared(), count = min(speech.generationCount, Self.speakingMax)
            let (depth, depthNote) = try offload(decoder.depth.stack, pageCount: count, speech, gpu, memory: memory)
            // Sounds that have just ended hold their pages for a moment still.
            let (codes, codesNote) = try offload(
                decoder.codes.stack, pageCount: (count + 1) * Self.pagesOfSound, speech, gpu, memory: memory)
            let notes = [depthNote.map { "codes: \($0)" }, codesNote.map { "sound: \($0)" }].compactMap { $0 }
            let passes = (depth: depth.suffix as? GPUPass, codes: codes.suffix as? GPUPass)
            let layers = [passes.depth, passes.codes].compactMap { $0 }.reduce(0) { $0 + $1.layerCount }
            guard layers > 0 else {
                notice(speech, notes.joined(separator: "; "))
                return cpu.makeSpeechPass(for: decoder, memory: memory)
            }
            speech.report.change { use in
                (use.device, use.layers) = (gpu.device.properties.name, layers)
                use.note = notes.isEmpty ? nil : notes.joined(separator: "; ")
            }
            onNotice(
                "audioDecoderUseGpu: \(gpu.device.properties.name) runs \(layers) of the audio decoder's \(all) layers"
                    + (notes.isEmpty ? "" : "; " + notes.joined(separator: "; ")))
            speechPasses = passes
            return SpeechPass(decoder, kernels: cpu.kernels, depth: depth, codes: codes)
        } catch {
            notice(speech, "\(error)")
            return cpu.makeSpeechPass(for: decoder, memory: memory)
        }
    }

    /// Has the GPU take layers of one of the decoder's stacks; the note is why it takes less than all.
    private func offload(
        _ stack: LayerStack, pageCount: Int, _ speech: Speech, _ gpu: SharedGPU, memory: MemoryPool
    ) throws(GPUError) -> (SpeechPass.Offload, note: String?) {
        var offload = SpeechPass.Offload(stack, memory: memory)
        let split = GPUSplit(stack, keyValueType: offload.layout.keyValueType)
        guard split.firstLayer < split.totalCount else { return (offload, split.obstacle) }
        offload.suffix = try GPUPass.prepare(
            GPUPart(role: .audioDecoder, stack: stack, split: split, pageCount: pageCount), on: gpu, CPUWeightReader(),
            &offload.layout, speech.report, onNotice: onNotice)
        return (offload, split.obstacle)
    }

    private func notice(_ speech: Speech, _ why: String) {
        speech.report.change { $0.note = why }
        onNotice("audioDecoderUseGpu is on, but no GPU is used: \(why); the CPU runs the audio decoder")
    }
}
