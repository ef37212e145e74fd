import CLeapKernels
import LeapCompute
import LeapModel

/// The inputs that recurrent layers got at the rows of a pass: by them the state behind any of these can be computed
/// again.
///
/// Rows that are proposals may be wrong. A copy of the state behind each of them would take many times the memory, and
/// computing the right ones again would take all layers. The kernels compute a row after the other whatever the rows of
/// a call, so the state has the same bits.
final class RecurrentReplay {
    /// The inputs of one layer, in floats from the beginning of the memory.
    private struct Layer {
        let shape: RecurrenceShape
        let place: CacheLayout.Recurrence
        /// `[rows][channels]`: the inputs of the convolution, and what it makes of them.
        let inputs: Int
        let mixed: Int
        /// `[rows][valueHeads]`
        let decays: Int
        let betas: Int
    }

    /// Rows that it can keep.
    let capacity: Int
    private let kernels: Kernels
    private let layers: [Layer]
    /// The place of the vectors that layers read which predict further tokens, and their length; nil without such.
    private let hidden: (rows: Int, state: Int, length: Int)?
    /// The place for what heads read, which nobody wants.
    private let output: Int
    private let memory: AlignedMemory

    /// Takes the memory.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    init(_ stack: LayerStack, _ layout: CacheLayout, _ kernels: Kernels, capacity: Int) throws(EngineError) {
        var count = 0
        func take(_ floats: Int) -> Int {
            defer { count += (floats + 15) & ~15 }
            return count
        }
        let shapes = stack.layers.compactMap { $0.mixer?.recurrence }
        layers = zip(shapes, layout.recurrence).map { shape, place in
            Layer(
                shape: shape, place: place, inputs: take(capacity * shape.channels),
                mixed: take(capacity * shape.channels), decays: take(capacity * shape.valueHeads),
                betas: take(capacity * shape.valueHeads))
        }
        if case .state(let state)? = layout.hidden {
            hidden = (take(capacity * stack.width), state, stack.width)
        } else {
            hidden = nil
        }
        output = take(capacity * (shapes.map(\.valueCount).max() ?? 0))
        memory = try AlignedMemory(byteCount: max(count, 1) * MemoryLayout<Float>.stride, pool: layout.pool)
        self.capacity = capacity
        self.kernels = kernels
    }

    private func floats(_ place: Int) -> UnsafeMutablePointer<Float> {
        memory.base.assumingMemoryBound(to: Float.self) + place
    }

    // MARK: Keeping

    /// Keeps the inputs of a layer's convolution.
    func keep(inputs: Rows, layer: Int) {
        floats(layers[layer].inputs).update(from: inputs.base, count: inputs.count * inputs.length)
    }

    /// Keeps the inputs of a layer's recurrence.
    func keep(mixed: Rows, decays: Rows, betas: Rows, layer: Int) {
        let layer = layers[layer]
        for (rows, place) in [(mixed, layer.mixed), (decays, layer.decays), (betas, layer.betas)] {
            floats(place).update(from: rows.base, count: rows.count * rows.length)
        }
    }

    /// Keeps the vectors behind the model's last norm.
    func keep(hidden rows: Rows) {
        if let hidden { floats(hidden.rows).update(from: rows.base, count: rows.count * rows.length) }
    }

    // MARK: Computing again

    /// Writes the state behind the first rows.
    ///
    /// - Parameters:
    ///   - before: the state in front of them; nil stands for zeros.
    ///   - after: another place.
    func run(_ count: Int, before: UnsafeRawPointer?, after: UnsafeMutableRawPointer) {
        for layer in layers {
            convolve(layer, count, before: before, after: after)
            recur(layer, count, before: before, after: after)
        }
        if let hidden {
            (after + hidden.state).assumingMemoryBound(to: Float.self).update(
                from: floats(hidden.rows + (count - 1) * hidden.length), count: hidden.length)
        }
    }

    /// The latest inputs of a convolution.
    private func convolve(_ layer: Layer, _ count: Int, before: UnsafeRawPointer?, after: UnsafeMutableRawPointer) {
        let (place, channels, reach) = (layer.place, layer.place.channels, layer.place.reach)
        let target = (after + place.inputs).assumingMemoryBound(to: Float.self)
        for index in 0..<reach {
            let row = target + index * channels
            let position = count - reach + index
            if position >= 0 {
                row.update(from: floats(layer.inputs + position * channels), count: channels)
            } else if let before {
                let history = (before + place.inputs).assumingMemoryBound(to: Float.self)
                row.update(from: history + (reach + position) * channels, count: channels)
            } else {
                row.update(repeating: 0, count: channels)
            }
        }
    }

    private func recur(_ layer: Layer, _ count: Int, before: UnsafeRawPointer?, after: UnsafeMutableRawPointer) {
        let (shape, mixed) = (layer.shape, floats(layer.mixed))
        let run = leap_recurrence_run(
            before: before.map { ($0 + layer.place.state).assumingMemoryBound(to: Float.self) },
            after: (after + layer.place.state).assumingMemoryBound(to: Float.self),
            q: mixed + shape.queryStart, k: mixed + shape.keyStart, v: mixed + shape.valueStart,
            decay: floats(layer.decays), beta: floats(layer.betas), skip: nil, out: floats(output),
            count: Int64(count))
        kernels.recur(shape, stride: shape.channels, [run])
    }
}
