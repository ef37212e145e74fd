import CLeapKernels
import LeapBase
import LeapCompute
import LeapModel

/// Recurrent layers over the sequences of a batch: each has its rows one after the other, and a state to go on from.
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
    ///
    /// - Parameters:
    ///   - layer: which of the stack's recurrent layers it is.
    ///   - filters: `[channels][taps]`.
    func convolve(layer: Int, _ input: Rows, filters: Vector, bias: Vector?, into out: Rows) {
        let layout = layout.recurrence[layer]
        let reach = layout.reach
        var inputs: [UnsafePointer<Float>?] = []
        inputs.reserveCapacity(input.count * (reach + 1))
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
            stretch.state.recording?.keep(inputs: input.slice(stretch.rows), layer: layer)
            keep(stretch.rows.count, in: stretch.state.after)
            for checkpoint in stretch.state.checkpoints {
                keep(checkpoint.count - stretch.start, in: UnsafeMutableRawPointer(checkpoint.tail.values))
            }
        }
        kernels.depthwise(inputs, filters, bias: bias, taps: reach + 1, into: out)
    }

    // MARK: Recurrence

    /// The inputs of a recurrence from the rows of a batch.
    struct RecurrenceInputs {
        /// Queries, keys and values of each row, as the layer's convolution has them.
        let mixed: Rows
        /// The factors of each value head's state, a row for each row.
        let decays: Rows
        /// The shares of a value, or of a difference, that are written.
        let betas: Rows
        /// The share of its value that each head adds to what it reads.
        var skip: Vector?
    }

    /// Lets every row change the state of its sequence and read from it.
    ///
    /// - Parameter layer: which of the stack's recurrent layers it is.
    func recur(layer: Int, _ shape: RecurrenceShape, _ inputs: RecurrenceInputs, into out: Rows) {
        let layout = layout.recurrence[layer]
        let mixed = inputs.mixed
        let skip = inputs.skip.map(kernels.bound.floats)
        let stretches = stretches
        for stretch in stretches {
            stretch.state.recording?.keep(
                mixed: mixed.slice(stretch.rows), decays: inputs.decays.slice(stretch.rows),
                betas: inputs.betas.slice(stretch.rows), layer: layer)
        }
        // The state goes from one checkpoint to the next: the parts of a sequence are computed one after the other.
        var part = 0
        while true {
            var runs: [leap_recurrence_run] = []
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
                    leap_recurrence_run(
                        before: before.map { ($0 + layout.state).assumingMemoryBound(to: Float.self) },
                        after: (after + layout.state).assumingMemoryBound(to: Float.self),
                        q: mixed.row(row) + shape.queryStart, k: mixed.row(row) + shape.keyStart,
                        v: mixed.row(row) + shape.valueStart, decay: inputs.decays.row(row),
                        beta: inputs.betas.row(row), skip: skip, out: out.row(row), count: Int64(ends[part] - first)))
            }
            guard !runs.isEmpty else { break }
            kernels.recur(shape, stride: mixed.length, runs)
            part += 1
        }
        // A checkpoint at the very end has the state, and the place of the next pass needs it too.
        for stretch in stretches {
            guard let last = stretch.state.checkpoints.last, last.count == stretch.start + stretch.rows.count else {
                continue
            }
            memcpy(
                stretch.state.after + layout.state, UnsafeRawPointer(last.tail.values) + layout.state,
                shape.stateCount * MemoryLayout<Float>.stride)
        }
    }
}
