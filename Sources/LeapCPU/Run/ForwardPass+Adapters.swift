import CLeapKernels
import LeapCompute
import LeapModel

extension ForwardPass {
    /// The addition of one adapter to one product, for some of its rows.
    private struct Change {
        let update: BoundUpdate
        let scale: Float
        /// The rows, as a part of the lists of all changes.
        let range: Range<Int>
        /// The outputs of the product, to which is added.
        let out: Rows
    }

    /// The additions of one adapter to products of the same inputs.
    private struct Changes {
        var all: [Change] = []
        /// The input of each row.
        var inputs: [Int32] = []
        /// The output of each row.
        var outputs: [Int32] = []
    }

    /// Adds to products what the adapters of the batch's rows do.
    ///
    /// Rows without adapters are not touched, and what is added to a row does not depend on the others.
    func adapt(_ input: Rows, _ products: [Product]) throws(EngineError) {
        for group in batch.adapted {
            for use in group.adapters.uses {
                let adapter = kernels.bound.adapter(use.adapter)
                let all = products.compactMap { product in
                    adapter.update(of: product.matrix).map { update in
                        Change(update: update, scale: use.scale, range: group.rows.indices, out: product.out)
                    }
                }
                try apply(Changes(all: all, inputs: group.rows, outputs: group.rows), to: input)
            }
        }
    }

    /// As ``adapt(_:_:)``, for products with the matrices of experts.
    ///
    /// - Parameter gather: the input of each of the routing's entries.
    func adapt(
        _ input: Rows, _ stacks: [(matrices: [Matrix], out: Rows)], _ routing: ExpertRouting, gather: [Int32]
    ) throws(EngineError) {
        for group in batch.adapted {
            var isAdapted = [Bool](repeating: false, count: batch.count)
            for row in group.rows { isAdapted[Int(row)] = true }
            for use in group.adapters.uses {
                let adapter = kernels.bound.adapter(use.adapter)
                var changes = Changes()
                for expert in stacks[0].matrices.indices {
                    let updates = stacks.compactMap { stack in
                        adapter.update(of: stack.matrices[expert]).map { (update: $0, out: stack.out) }
                    }
                    guard !updates.isEmpty else { continue }
                    let start = changes.inputs.count
                    for entry in routing.entries(of: expert) where isAdapted[Int(routing.entryRow[entry])] {
                        changes.inputs.append(gather[entry])
                        changes.outputs.append(Int32(entry))
                    }
                    let range = start..<changes.inputs.count
                    guard !range.isEmpty else { continue }
                    for (update, out) in updates {
                        changes.all.append(Change(update: update, scale: use.scale, range: range, out: out))
                    }
                }
                try apply(changes, to: input)
            }
        }
    }

    /// Adds to the embeddings of the batch's tokens what the adapters of their rows do.
    func adaptEmbeddings(_ stream: Rows) throws(EngineError) {
        guard !batch.adapted.isEmpty else { return }
        let tokens = batch.tokens
        for group in batch.adapted {
            for use in group.adapters.uses {
                guard let update = kernels.bound.adapter(use.adapter).embedding else { continue }
                let change = Change(update: update, scale: use.scale, range: group.rows.indices, out: stream)
                let narrow = try rows(.adapterInner, group.rows.count, update.rank)
                let table = update.down.kernel
                for (index, row) in group.rows.enumerated() {
                    leap_dequantize_row(
                        table.type, table.data + Int(tokens[Int(row)]) * table.row_bytes, narrow.row(index),
                        Int64(update.rank))
                }
                widen(Changes(all: [change], outputs: group.rows), from: narrow.base)
            }
        }
    }

    /// Computes changes and adds them.
    private func apply(_ changes: Changes, to input: Rows) throws(EngineError) {
        guard !changes.all.isEmpty else { return }
        for change in changes.all { try prepare(input, for: change.update.down) }
        let count = changes.all.reduce(0) { $0 + $1.range.count * $1.update.rank }
        let narrow = try workspace.floats(.adapterInner, count)
        changes.inputs.withUnsafeBufferPointer { inputs in
            guard let base = inputs.baseAddress else { return }
            var jobs: [leap_matmul_job] = []
            jobs.reserveCapacity(changes.all.count)
            var next = narrow
            for change in changes.all {
                let out = Rows(base: next, count: change.range.count, length: change.update.rank)
                jobs.append(job(change.update.down, gather: base + change.range.lowerBound, out: out))
                next += out.count * out.length
            }
            kernels.multiply(jobs, count: jobs.count)
        }
        widen(changes, from: narrow)
    }

    /// The second half: from the vectors of the ranks' lengths, one change behind the other, to the outputs.
    private func widen(_ changes: Changes, from narrow: UnsafeMutablePointer<Float>) {
        var next = narrow
        for change in changes.all {
            let (up, rows) = (change.update.up, changes.outputs[change.range])
            let inner = Rows(base: next, count: rows.count, length: up.rank)
            let factor = change.scale * change.update.scale
            if factor != 1 { kernels.scale(inner, by: factor) }
            // Rows that follow one another at once.
            var start = rows.startIndex
            while start < rows.endIndex {
                var end = start + 1
                while end < rows.endIndex, rows[end] == rows[end - 1] + 1 { end += 1 }
                let first = Int(rows[start])
                kernels.add(
                    inner.row(start - rows.startIndex), times: up, to: change.out.slice(first..<first + end - start))
                start = end
            }
            next += inner.count * inner.length
        }
    }
}
