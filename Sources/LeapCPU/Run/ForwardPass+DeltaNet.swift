import CLeapKernels
import LeapBase
import LeapCompute
import LeapModel

/// Gated DeltaNet over the sequences of a batch: each has its rows one after the other, and a state to go on from.
extension ForwardPass {
    /// The rows of a segment of the batch, and the state of its sequence.
    private struct Stretch {
        let rows: Range<Int>
        let start: Int
        let state: RecurrentState
    }

    /// The segments of the batch, whose rows are all there: no layer in front of this one was the last.
    private var stretches: [Stretch] {
        var row = 0
        return batch.segments.compactMap { segment in
            let rows = row..<row + segment.count
            row = rows.upperBound
            // Made by reserve(_:), before any layer runs.
            return segment.sequence.cached.recurrence.map {
                Stretch(rows: rows, start: segment.sequence.count, state: $0)
            }
        }
    }

    // MARK: Convolution

    /// Runs the convolution of a layer over every row, and keeps the inputs that later positions look back at.
    func convolve(_ block: DeltaNetBlock, _ input: Rows, into out: Rows) {
        let layout = layout.recurrence[block.cacheIndex]
        let reach = layout.reach
        var inputs: [UnsafePointer<Float>?] = []
        inputs.reserveCapacity(input.count * block.taps)
        for stretch in stretches {
            let history = stretch.state.before.map { ($0 + layout.inputs).assumingMemoryBound(to: Float.self) }
            /// The input of a position, counted from the first of the pass; nil for zeros.
            func source(_ position: Int) -> UnsafePointer<Float>? {
                if position >= 0 { return UnsafePointer(input.row(stretch.rows.lowerBound + position)) }
                return history.map { $0 + (reach + position) * layout.channels }
            }
            for position in 0..<stretch.rows.count {
                for back in (0...reach).reversed() { inputs.append(source(position - back)) }
            }
            func keep(_ end: Int, in place: UnsafeMutableRawPointer) {
                let target = (place + layout.inputs).assumingMemoryBound(to: Float.self)
                for index in 0..<reach {
                    let row = target + index * layout.channels
                    if let input = source(end - reach + index) {
                        row.update(from: input, count: layout.channels)
                    } else {
                        row.update(repeating: 0, count: layout.channels)
                    }
                }
            }
            keep(stretch.rows.count, in: stretch.state.after)
            for checkpoint in stretch.state.checkpoints {
                keep(checkpoint.count - stretch.start, in: UnsafeMutableRawPointer(checkpoint.tail.values))
            }
        }
        kernels.depthwise(inputs, block.filters, taps: block.taps, into: out)
    }

    // MARK: Recurrence

    /// Lets every row change the state of its sequence and read from it.
    ///
    /// - Parameters:
    ///   - mixed: queries, keys and values of each row, one after the other.
    ///   - decays: what each value head's state is multiplied with, a row for each row.
    ///   - betas: how much of a difference is written.
    func recur(_ block: DeltaNetBlock, _ mixed: Rows, decays: Rows, betas: Rows, into out: Rows) {
        let layout = layout.recurrence[block.cacheIndex]
        let keys = block.keyHeads * block.headDimension
        var shape = leap_delta_shape(
            key_heads: Int32(block.keyHeads), value_heads: Int32(block.valueHeads),
            head_dim: Int32(block.headDimension), stride: Int64(mixed.length))
        let stretches = stretches
        // The state goes from one checkpoint to the next: the parts of a sequence are computed one after the other.
        var part = 0
        while true {
            var runs: [leap_delta_run] = []
            for stretch in stretches {
                let checkpoints = stretch.state.checkpoints
                let ends = checkpoints.map { $0.count - stretch.start } + [stretch.rows.count]
                guard part < ends.count else { continue }
                let first = part > 0 ? ends[part - 1] : 0
                guard first < ends[part] else { continue }
                let row = stretch.rows.lowerBound + first
                let before =
                    part > 0 ? UnsafeRawPointer(checkpoints[part - 1].tail.values) : stretch.state.before
                let after =
                    part < checkpoints.count
                    ? UnsafeMutableRawPointer(checkpoints[part].tail.values) : stretch.state.after
                runs.append(
                    leap_delta_run(
                        before: before.map { ($0 + layout.state).assumingMemoryBound(to: Float.self) },
                        after: (after + layout.state).assumingMemoryBound(to: Float.self), q: mixed.row(row),
                        k: mixed.row(row) + keys, v: mixed.row(row) + 2 * keys, decay: decays.row(row),
                        beta: betas.row(row), out: out.row(row), count: Int64(ends[part] - first)))
            }
            guard !runs.isEmpty else { break }
            kernels.recur(&shape, runs)
            part += 1
        }
        // A checkpoint at the very end has the state, and the place of the next pass needs it too.
        for stretch in stretches {
            guard let last = stretch.state.checkpoints.last, last.count == stretch.start + stretch.rows.count else {
                continue
            }
            let floats = block.valueHeads * block.headDimension * block.headDimension
            memcpy(
                stretch.state.after + layout.state, UnsafeRawPointer(last.tail.values) + layout.state,
                floats * MemoryLayout<Float>.stride)
        }
    }
}
