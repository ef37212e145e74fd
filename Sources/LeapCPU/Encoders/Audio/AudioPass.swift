import LeapBase
import LeapCompute
package import LeapModel

/// Runs sounds through an encoder; used by one thread at a time.
package final class AudioPass: MediaPass {
    /// Scratch memory that is kept for the next sound.
    private static let maxKeptBytes = 64 << 20

    let encoder: AudioEncoder
    let pass: ForwardPass
    /// The states of sounds that come in pieces.
    var states = PiecewiseStates()

    /// Prepares for an encoder.
    package convenience init(_ encoder: AudioEncoder, kernels: Kernels) {
        self.init(encoder, kernels: kernels, memory: MemoryPool())
    }

    init(_ encoder: AudioEncoder, kernels: Kernels, memory: MemoryPool) {
        self.encoder = encoder
        let stack =
            switch encoder.layers {
            case .conformer: LayerStack(width: encoder.length)
            case .causal(let layers): layers.stack
            }
        pass = ForwardPass(
            stack, layout: CacheLayout(stack, keyValueType: .f32, pool: memory), kernels: kernels, contextSize: .max)
    }

    package func encode(
        _ content: MediaContent, shouldContinue: () -> Bool
    ) throws(EngineError) -> [Float]? {
        switch content {
        case .audio(let spectrum): return try encode(spectrum, shouldContinue: shouldContinue)
        case .audioPiece(let piece): return try encode(piece)
        case .image, .speech: throw .readsNo(.image)
        }
    }

    /// Encodes a sound.
    ///
    /// - Parameter shouldContinue: asked before each layer, and in front of them every 1.28 seconds of sound.
    /// - Returns: the vectors, `[vectorCount][outputLength]`; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    package func encode(_ spectrum: AudioSpectrum, shouldContinue: () -> Bool = { true }) throws(EngineError)
        -> [Float]?
    {
        precondition(spectrum.frameCount > 0, "a sound with a frame")
        check(spectrum)
        defer { if pass.workspace.byteCount > Self.maxKeptBytes { pass.workspace.removeAll() } }
        do {
            return try run(spectrum, throughAdapter: true, shouldContinue)
        } catch {
            pass.workspace.removeAll()
            throw error
        }
    }

    /// The vectors of the encoder itself, before the adapter.
    func encodeWithoutAdapter(_ spectrum: AudioSpectrum) throws(EngineError) -> [Float]? {
        try run(spectrum, throughAdapter: false) { true }
    }

    /// Checks that a spectrum is one of this encoder.
    func check(_ spectrum: AudioSpectrum) {
        precondition(
            spectrum.bandCount == encoder.form.bandCount
                && spectrum.values.count == spectrum.frameCount * spectrum.bandCount, "a spectrum of this encoder")
    }

    private func run(
        _ spectrum: AudioSpectrum, throughAdapter: Bool, _ shouldContinue: () -> Bool
    ) throws(EngineError) -> [Float]? {
        switch encoder.layers {
        case .conformer(let layers):
            return try run(layers, spectrum, throughAdapter: throughAdapter, shouldContinue)
        case .causal(let layers):
            return try run(
                layers, spectrum, isLast: true, of: makeState(), throughAdapter: throughAdapter, shouldContinue)
        }
    }

    private func run(
        _ layers: [ConformerLayer], _ spectrum: AudioSpectrum, throughAdapter: Bool, _ shouldContinue: () -> Bool
    ) throws(EngineError) -> [Float]? {
        defer { pass.release([.spectrum, .stream, .distances, .mediaVectors]) }
        let frames = try rows(spectrum.values[...])
        guard let stream = try encoder.subsampling.run(frames, into: .stream, pass, shouldContinue: shouldContinue)
        else { return nil }
        let positions = try RelativeAttention.sinusoids(count: stream.count, length: stream.length, pass)
        for layer in layers {
            guard shouldContinue() else { return nil }
            try layer.run(stream, positions: positions, pass)
        }
        let out = throughAdapter ? try encoder.adapter.project(stream, pass) : stream
        return Array(out.values)
    }

    /// Frames in the buffer of the spectrum.
    func rows(_ values: ArraySlice<Float>) throws(EngineError) -> Rows {
        let bands = encoder.form.bandCount
        let frames = try pass.rows(.spectrum, values.count / bands, bands)
        values.withUnsafeBufferPointer { values in
            if let base = values.baseAddress { frames.base.update(from: base, count: values.count) }
        }
        return frames
    }

    package var holdsMemory: Bool { pass.workspace.byteCount > 0 || states.hasUnheld }

    package func releaseMemory() {
        pass.workspace.removeAll()
        states.removeUnheld()
    }
}
