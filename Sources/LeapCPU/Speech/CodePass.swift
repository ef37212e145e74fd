package import LeapCompute
package import LeapModel

/// Makes spectra of frames of codes for any number of sounds; used by one thread at a time.
///
/// The spectra of a sound are the same bits whether its frames come one at a time or together, alone or beside other
/// sounds'.
package final class CodePass {
    package let decoder: CodeDecoder
    private let pass: ForwardPass

    /// All layers on the processor.
    package convenience init(_ decoder: CodeDecoder, kernels: Kernels, memory: MemoryPool) {
        self.init(decoder, kernels: kernels, offload: SpeechPass.Offload(decoder.stack, memory: memory))
    }

    package init(_ decoder: CodeDecoder, kernels: Kernels, offload: SpeechPass.Offload) {
        self.decoder = decoder
        pass = offload.pass(decoder.stack, kernels: kernels)
    }

    /// The state of a sound, which goes on from frame to frame.
    package func makeState() -> SequenceState { pass.layout.makeSequence(limit: Int(Int32.max)) }

    /// The vectors of one sound's frames, each for as many positions as a frame becomes.
    private struct Repeated: InputVectors {
        let base: UnsafePointer<Float>
        let length: Int
        /// The position of the first one.
        let start: Int

        func vector(at position: Int) -> UnsafePointer<Float> {
            base + (position - start) / CodeDecoder.spectraPerFrame * length
        }
    }

    /// The spectra of the next frames of several sounds.
    ///
    /// - Parameter sounds: the state of each sound, and the codes of its next frames, one frame after the other.
    /// - Returns: for each the logarithms of magnitudes and the phases, `[frames · spectraPerFrame][spectrumLength]`.
    /// - Throws: ``EngineError`` with code `tokenOutOfRange` for a code that stands for no sound, or `outOfMemory`;
    ///   in both cases the sounds are where they were.
    package func spectra(_ sounds: [(state: SequenceState, codes: [UInt16])]) throws(EngineError) -> [[Float]] {
        guard !sounds.isEmpty else { return [] }
        for sound in sounds { try decoder.validate(sound.codes) }
        let frameCounts = sounds.map { $0.codes.count / decoder.codebookCount }
        let vectors = try vectors(sounds.flatMap(\.codes))
        var spectra: [[Float]] = []
        var failure: EngineError?
        vectors.withUnsafeBufferPointer { vectors in
            guard var base = vectors.baseAddress else { return }
            let segments = zip(sounds, frameCounts).map { sound, count in
                defer { base += count * decoder.length }
                let inputs = Repeated(base: base, length: decoder.length, start: sound.state.count)
                return BatchSegment(
                    sequence: sound.state, inputs: .vectors(count * CodeDecoder.spectraPerFrame, inputs), wanted: .all,
                    output: .hidden)
            }
            do throws(EngineError) {
                _ = try pass.compute(segments) { (rows) throws(EngineError) in
                    let values = try pass.project(rows, decoder.output, into: .spectra)
                    var row = 0
                    spectra = frameCounts.map { count in
                        defer { row += count * CodeDecoder.spectraPerFrame }
                        return Array(
                            UnsafeBufferPointer(
                                start: values.row(row), count: count * CodeDecoder.spectraPerFrame * values.length))
                    }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        for sound in sounds { sound.state.releasePages(before: sound.state.count - CodeDecoder.attentionWindow) }
        return spectra
    }

    /// The vectors of frames in front of the layers, `[frames][length]`.
    private func vectors(_ codes: [UInt16]) throws(EngineError) -> [Float] {
        let (codebooks, count) = (decoder.codebookCount, codes.count / decoder.codebookCount)
        switch decoder.input {
        case .mean(let table):
            let table = WeightMatrix(table)
            return Self.floats(count, of: decoder.length) { frame, out in
                table.sum(
                    rows: (0..<codebooks).map { $0 * decoder.codeCount + Int(codes[frame * codebooks + $0]) }, into: out
                )
                for index in 0..<decoder.length { out[index] /= Float(codebooks) }
            }
        case .latents(let latents):
            let (table, width) = (WeightMatrix(latents.table), latents.table.columns)
            let rows = Self.floats(codes.count, of: width) { index, out in
                table.read(row: Int(codes[index]), into: out)
            }
            return try pass.project(
                rows, by: [(latents.joining, .joinedLatents), (latents.widening, .frameVectors)])
        }
    }

    /// Floats that are written row by row.
    private static func floats(
        _ count: Int, of length: Int, _ write: (_ row: Int, UnsafeMutablePointer<Float>) -> Void
    ) -> [Float] {
        [Float](unsafeUninitializedCapacity: count * length) { buffer, filled in
            if let base = buffer.baseAddress {
                for row in 0..<count { write(row, base + row * length) }
            }
            filled = count * length
        }
    }

    package var holdsMemory: Bool { pass.workspace.byteCount > 0 }

    package func releaseMemory() { pass.workspace.removeAll() }
}

extension ForwardPass {
    /// Products one after the other whose inputs and outputs do not lie in scratch memory.
    ///
    /// - Parameters:
    ///   - vectors: as many as there are, each as long as the first matrix takes them.
    ///   - matrices: each with where its outputs lie in the meantime.
    func project(
        _ vectors: [Float], by matrices: [(matrix: Matrix, purpose: Workspace.Purpose)]
    ) throws(EngineError) -> [Float] {
        guard let first = matrices.first else { return vectors }
        defer { release([.speechInputs] + matrices.map(\.purpose)) }
        let columns = first.matrix.columns
        var values = try rows(.speechInputs, vectors.count / columns, columns)
        vectors.withUnsafeBufferPointer { vectors in
            if let base = vectors.baseAddress { values.base.update(from: base, count: vectors.count) }
        }
        for (matrix, purpose) in matrices { values = try project(values, matrix, into: purpose) }
        return Array(values.values)
    }
}
