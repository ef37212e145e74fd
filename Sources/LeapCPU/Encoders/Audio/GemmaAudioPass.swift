import LeapBase
import LeapCompute
package import LeapModel

/// Runs sounds, or parts of them, through Gemma 4's encoders; used by one thread at a time.
package final class GemmaAudioPass: MediaPass {
    private let encoder: GemmaAudioEncoder
    private let pass: ForwardPass

    /// Prepares for an encoder.
    package convenience init(_ encoder: GemmaAudioEncoder, kernels: Kernels) {
        self.init(encoder, kernels: kernels, memory: MemoryPool())
    }

    init(_ encoder: GemmaAudioEncoder, kernels: Kernels, memory: MemoryPool) {
        self.encoder = encoder
        // Positions are not kept from one sound to the next.
        let stack = LayerStack(width: encoder.tower?.length ?? encoder.outputLength)
        pass = ForwardPass(
            stack, layout: CacheLayout(stack, keyValueType: .f32, pool: memory), kernels: kernels, contextSize: .max)
    }

    package func encode(
        _ content: MediaContent, shouldContinue: () -> Bool
    ) throws(EngineError) -> [Float]? {
        guard case .audio(let spectrum) = content else { throw .readsNo(.image) }
        return try encode(spectrum, shouldContinue: shouldContinue)
    }

    /// Encodes a sound, or a part of one.
    ///
    /// - Parameter shouldContinue: asked before each layer, and in front of them every 0.64 seconds of sound.
    /// - Returns: the vectors, `[vectors][outputLength]`; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    package func encode(_ spectrum: AudioSpectrum, shouldContinue: () -> Bool = { true }) throws(EngineError)
        -> [Float]?
    {
        precondition(
            spectrum.frameCount > 0 && spectrum.bandCount == encoder.form.bandCount
                && spectrum.values.count == spectrum.frameCount * spectrum.bandCount, "a spectrum of this encoder")
        // Before anything is taken: it may give buffers back.
        pass.workspace.beginBatch(rows: encoder.form.vectorCount(frames: spectrum.frameCount))
        do {
            defer { pass.workspace.endBatch() }
            return try run(spectrum, shouldContinue)
        } catch {
            pass.workspace.removeAll()
            throw error
        }
    }

    private func run(_ spectrum: AudioSpectrum, _ shouldContinue: () -> Bool) throws(EngineError) -> [Float]? {
        let frames = try pass.rows(.spectrum, spectrum.frameCount, spectrum.bandCount)
        spectrum.values.withUnsafeBufferPointer { values in
            if let base = values.baseAddress { frames.base.update(from: base, count: values.count) }
        }
        guard let tower = encoder.tower else { return try project(frames) }
        guard let vectors = try tower.run(frames, pass, shouldContinue) else { return nil }
        return try project(vectors)
    }

    /// Brings vectors to the language model's; they are normed in place.
    private func project(_ vectors: Rows) throws(EngineError) -> [Float] {
        pass.kernels.rmsNorm(vectors, encoder.norm, into: vectors)
        return Array(try pass.project(vectors, encoder.matrix, into: .mediaVectors).values)
    }

    package var holdsMemory: Bool { pass.workspace.byteCount > 0 }

    package func releaseMemory() { pass.workspace.removeAll() }
}
