import LeapBase
package import LeapCompute
package import LeapModel

/// Runs pictures through an encoder; used by one thread at a time.
package final class VisionPass: MediaPass {
    private let encoder: VisionEncoder
    private let pass: ForwardPass
    private let layout: CacheLayout
    package let arithmetic: String?

    /// Prepares for an encoder.
    package convenience init(_ encoder: VisionEncoder, kernels: Kernels) {
        self.init(encoder, kernels: kernels, memory: MemoryPool())
    }

    package convenience init(_ encoder: VisionEncoder, kernels: Kernels, memory: MemoryPool) {
        self.init(encoder, kernels: kernels, Offload(encoder, memory: memory))
    }

    /// Layers that another device than the processor computes, and the layout of what they keep.
    package struct Offload {
        package var layout: CacheLayout
        /// Computes the last layers; nil where the processor computes all of them.
        package var suffix: (any LayerSuffix)?
        /// Names what computes layers in the processor's place; nil where nothing does.
        package var arithmetic: String?

        /// All layers of a tower on the processor.
        package init(_ encoder: VisionEncoder, memory: MemoryPool) {
            layout = VisionPass.layout(of: encoder.tower.stack, memory: memory)
        }
    }

    /// The layout of one layer with attention, the one that keeps most, as no layer needs the keys and values of
    /// another one.
    package static func layout(of stack: LayerStack, memory: MemoryPool) -> CacheLayout {
        var one = stack
        let kept = stack.layers.map { layer in
            if case .attention(let block)? = layer.mixer { block.keyValueHeads * block.headDimension } else { 0 }
        }
        let largest = kept.indices.max { kept[$0] < kept[$1] }
        one.layers = largest.map { kept[$0] > 0 ? [stack.layers[$0]] : [] } ?? []
        return CacheLayout(one, keyValueType: .f32, pool: memory)
    }

    package init(_ encoder: VisionEncoder, kernels: Kernels, _ offload: Offload) {
        self.encoder = encoder
        (layout, arithmetic) = (offload.layout, offload.arithmetic)
        pass = ForwardPass(encoder.tower.stack, layout: layout, kernels: kernels, contextSize: .max)
        pass.suffix = offload.suffix
    }

    /// The first vectors of the tower's layers.
    private struct Embedded: InputVectors {
        let rows: Rows
        /// Patches of a row of the picture.
        let columns: Int

        func vector(at position: Int) -> UnsafePointer<Float> { UnsafePointer(rows.row(position)) }

        func rotaryPosition(at position: Int) -> RotaryPosition {
            RotaryPosition(time: 0, row: Int32(position / columns), column: Int32(position % columns))
        }
    }

    package func encode(_ content: MediaContent, shouldContinue: () -> Bool) throws(EngineError) -> [Float]? {
        guard case .image(let patches) = content else { throw .readsNo(.audio) }
        return try encode(patches, shouldContinue: shouldContinue)
    }

    /// Encodes one picture, one tile of it, or two frames of a video.
    ///
    /// Two equal frames have the vectors of a picture, to the bit.
    ///
    /// - Parameter shouldContinue: asked before each layer.
    /// - Returns: the vectors, `[rows / factor · columns / factor][1 + additionCount][outputLength]`, row by row; nil
    ///   if it was stopped.
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    /// - Precondition: the patches are of the encoder's size and their numbers multiples of its factor.
    package func encode(_ patches: ImagePatches, shouldContinue: () -> Bool = { true }) throws(EngineError)
        -> [Float]?
    {
        guard let projector = encoder.projector as? any RunnableProjector else { throw .readsNo(.image) }
        let tower = encoder.tower
        let count = patches.rows * patches.columns
        let factor = encoder.tiling.downsampling
        precondition(
            count > 0 && patches.rows % factor == 0 && patches.columns % factor == 0
                && patches.values.count == count * tower.patches.columns
                && patches.secondValues?.count ?? patches.values.count == patches.values.count,
            "patches of this encoder")
        guard patches.secondValues == nil || tower.secondPatches != nil else { throw .readsNo(.video) }
        // Before anything is taken: it may give buffers back.
        pass.workspace.beginBatch(rows: count)
        defer { pass.release([.patches]) }
        let embedded = try embed(patches)
        let sequence = layout.makeSequence(limit: count)
        var merged: [[Float]] = []
        var segment = BatchSegment(
            sequence: sequence, inputs: .vectors(count, Embedded(rows: embedded, columns: patches.columns)),
            wanted: .all, output: .hidden)
        // Many rows at once, as of a prompt.
        segment.isPrompt = true
        let isDone = try pass.compute(
            [segment], isScratchBegun: true, shouldContinue: shouldContinue,
            observedLayers: encoder.projector.additions.map(\.layer),
            afterLayer: { (layer, rows) throws(EngineError) in
                for addition in self.encoder.projector.additions where addition.layer == layer {
                    merged.append(
                        Array(
                            try addition.merger.run(
                                rows, rows: patches.rows, columns: patches.columns, self.pass
                            ).values))
                    self.pass.release([.mediaVectors])
                }
            },
            body: { (rows) throws(EngineError) in
                let out = try projector.project(rows, rows: patches.rows, columns: patches.columns, self.pass)
                merged.insert(Array(out.values), at: 0)
            })
        return isDone ? interleaved(merged) : nil
    }

    /// The vectors of patches in front of the layers.
    private func embed(_ patches: ImagePatches) throws(EngineError) -> Rows {
        defer { pass.release([.pixels, .secondPatches]) }
        let (tower, rows, columns) = (encoder.tower, patches.rows, patches.columns)
        let pixels = try pass.rows(.pixels, rows * columns, tower.patches.columns)
        func take(_ values: [Float]) {
            values.withUnsafeBufferPointer { values in
                if let base = values.baseAddress { pixels.base.update(from: base, count: values.count) }
            }
            if let norm = tower.pixelNorm { pass.kernels.norm(pixels, norm, into: pixels) }
        }
        take(patches.values)
        let embedded = try pass.project(pixels, tower.patches, into: .patches)
        if let second = tower.secondPatches {
            if let values = patches.secondValues { take(values) }
            pass.kernels.add(try pass.project(pixels, second, into: .secondPatches), to: embedded)
        }
        if let norm = tower.patchNorm { pass.kernels.norm(embedded, norm, into: embedded) }
        let bound = pass.kernels.bound
        guard
            let positions = tower.positions?.resized(rows: rows, columns: columns, bound)
                ?? tower.axisPositions?.vectors(rows: rows, columns: columns, bound)
        else { return embedded }
        positions.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            pass.kernels.add(
                Rows(base: UnsafeMutablePointer(mutating: base), count: embedded.count, length: embedded.length),
                to: embedded)
        }
        return embedded
    }

    /// The vectors of each square one after the other, those of the language model's first layers behind its own.
    private func interleaved(_ vectors: [[Float]]) -> [Float] {
        guard let first = vectors.first, vectors.count > 1 else { return vectors.first ?? [] }
        let length = encoder.outputLength
        var all: [Float] = []
        all.reserveCapacity(first.count * vectors.count)
        for start in stride(from: 0, to: first.count, by: length) {
            for part in vectors { all += part[start..<start + length] }
        }
        return all
    }

    package var holdsMemory: Bool { pass.workspace.byteCount > 0 }

    package func releaseMemory() { pass.workspace.removeAll() }
}
