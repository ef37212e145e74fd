import LeapCompute
import LeapModel

/// Runs pictures through an encoder; used by one thread at a time.
package final class VisionPass: MediaPass {
    private let encoder: VisionEncoder
    private let pass: ForwardPass
    private let layout: CacheLayout

    /// Prepares for an encoder.
    package convenience init(_ encoder: VisionEncoder, kernels: Kernels) {
        self.init(encoder, kernels: kernels, memory: MemoryPool())
    }

    init(_ encoder: VisionEncoder, kernels: Kernels, memory: MemoryPool) {
        self.encoder = encoder
        // Of one layer, as no layer needs the keys and values of another one.
        var one = encoder.tower.stack
        one.layers = Array(one.layers.prefix(1))
        layout = CacheLayout(one, keyValueType: .f32, pool: memory)
        pass = ForwardPass(encoder.tower.stack, layout: layout, kernels: kernels, contextSize: .max)
    }

    /// Where the tower's layers take their first vectors from.
    private struct Embedded: InputVectors {
        let rows: Rows

        func vector(at position: Int) -> UnsafePointer<Float> { UnsafePointer(rows.row(position)) }
    }

    package func encode(_ content: MediaContent, shouldContinue: () -> Bool) throws(EngineError) -> [Float]? {
        guard case .picture(let patches) = content else { throw .readsNo(.sound) }
        return try encode(patches, shouldContinue: shouldContinue)
    }

    /// Encodes one picture, or one tile of it.
    ///
    /// - Parameter shouldContinue: asked before each layer.
    /// - Returns: the vectors, `[rows / factor · columns / factor][outputLength]`, row by row; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    /// - Precondition: the patches are of the encoder's size and their numbers multiples of its factor.
    package func encode(_ patches: PicturePatches, shouldContinue: () -> Bool = { true }) throws(EngineError)
        -> [Float]?
    {
        guard let projector = encoder.projector as? any RunnableProjector else { throw .readsNo(.picture) }
        let tower = encoder.tower
        let count = patches.rows * patches.columns
        let factor = encoder.tiling.downsampling
        precondition(
            count > 0 && patches.rows % factor == 0 && patches.columns % factor == 0
                && patches.values.count == count * tower.patches.columns, "patches of this encoder")
        let pixels = try pass.rows(.gate, count, tower.patches.columns)
        patches.values.withUnsafeBufferPointer { values in
            if let base = values.baseAddress { pixels.base.update(from: base, count: values.count) }
        }
        let embedded = try pass.project(pixels, tower.patches, into: .branch)
        let positions = tower.positions.resized(
            rows: patches.rows, columns: patches.columns, pass.kernels.bound)
        positions.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            pass.kernels.add(
                Rows(base: UnsafeMutablePointer(mutating: base), count: count, length: tower.length), to: embedded)
        }
        let sequence = layout.makeSequence(limit: count)
        var result: [Float] = []
        let isDone = try pass.read(
            [
                BatchSegment(
                    sequence: sequence, inputs: .vectors(count, Embedded(rows: embedded)), wanted: .all,
                    output: .hidden)
            ],
            shouldContinue: shouldContinue
        ) { (rows) throws(EngineError) in
            let out = try projector.project(rows, rows: patches.rows, columns: patches.columns, pass)
            result = Array(UnsafeBufferPointer(start: out.base, count: out.count * out.length))
        }
        return isDone ? result : nil
    }

    package var holdsMemory: Bool { pass.workspace.byteCount > 0 }

    package func releaseMemory() { pass.workspace.removeAll() }
}
