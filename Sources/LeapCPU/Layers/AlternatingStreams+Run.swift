import LeapCompute
import LeapModel

extension AlternatingStreams {
    /// Makes the streams in front of the first layer.
    ///
    /// - Parameter stream: the vectors in front of it, which become the first stream.
    func begin(_ stream: Rows, _ pass: ForwardPass) throws(EngineError) {
        let streams = try pass.newStreams(count, like: stream)
        streams[0].base.update(from: stream.base, count: stream.count * stream.length)
        try pass.project(stream, zip(projections, streams.dropFirst()).map { (matrix: $0, out: $1) })
        for other in streams.dropFirst() { match(other, to: stream, pass) }
        pass.streams = streams
    }

    /// Makes one stream of those behind the last layer: the mean of the first and of what is made of the others.
    ///
    /// - Parameter stream: the first stream, which is changed in place.
    func end(_ stream: Rows, _ pass: ForwardPass) throws(EngineError) {
        for (matrix, other) in zip(returns, pass.streams.dropFirst()) {
            let branch = try pass.project(other, matrix, into: .branch)
            match(branch, to: pass.streams[0], pass)
            pass.kernels.add(branch, to: stream)
        }
        pass.release([.branch])
        pass.kernels.scale(stream, by: 1 / Float(count))
    }

    /// Brings vectors to the root mean squares of others.
    private func match(_ x: Rows, to target: Rows, _ pass: ForwardPass) {
        for row in 0..<x.count {
            let own = max(Self.meanSquare(x.slice(row..<row + 1)), Self.leastMeanSquare)
            let wanted = Self.meanSquare(target.slice(row..<row + 1))
            pass.kernels.scale(x.slice(row..<row + 1), by: wanted.squareRoot() / own.squareRoot())
        }
    }

    private static func meanSquare(_ x: Rows) -> Float {
        Float(x.values.reduce(0) { $0 + Double($1) * Double($1) } / Double(x.length))
    }
}

extension AlternatingUpdate {
    /// The scratch memory that it takes.
    private static let purposes: [Workspace.Purpose] = [.streamScores, .coefficients, .streamFactors, .correction]

    /// Predicts all streams from those in front of the layer.
    ///
    /// - Parameter stream: the first stream, which becomes its prediction.
    func predict(_ stream: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release(Self.purposes) }
        let old = pass.streams
        let factors = try columns(
            of: try pass.project(try scores(of: stream, pass), prediction, into: .coefficients), pass)
        let new = try pass.newStreams(old.count, like: stream)
        for (index, target) in new.enumerated() {
            for (from, source) in old.enumerated() {
                pass.kernels.add(
                    source, times: factors.column(index * old.count + from), to: from == 0 ? old[index] : target,
                    into: target)
            }
        }
        pass.streams = new
        stream.base.update(from: new[0].base, count: stream.count * stream.length)
    }

    /// Corrects all streams by what the layer computed.
    ///
    /// - Parameter stream: what the layer made of the first stream's prediction; it becomes the first stream.
    func correct(_ stream: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release(Self.purposes) }
        let streams = pass.streams
        let factors = try columns(
            of: try pass.project(try scores(of: stream, pass), correction, into: .coefficients), pass)
        for value in 0..<streams.count * stream.count { factors.base[value] += 1 }
        let difference = try pass.rows(.correction, stream.count, stream.length)
        pass.kernels.add(streams[0], times: factors.column(streams.count), to: stream, into: difference)
        for (index, target) in streams.enumerated() {
            pass.kernels.add(difference, times: factors.column(index), to: target)
        }
        stream.base.update(from: streams[0].base, count: stream.count * stream.length)
    }

    /// The scores of vectors, one for each stream.
    private func scores(of stream: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let scores = try pass.project(try pass.norm(stream, .rms(routerNorm)), router, into: .streamScores)
        pass.release([.normed])
        pass.kernels.scale(scores, by: routerScale)
        // The hyperbolic tangent.
        pass.kernels.softcap(scores, 1)
        return scores
    }

    /// Factors that lie side by side for each of several vectors, as those of one after those of another; behind them
    /// those that subtract.
    private func columns(of rows: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        let columns = try pass.rows(.streamFactors, rows.length + 1, rows.count)
        for row in 0..<rows.count {
            for column in 0..<rows.length { columns.row(column)[row] = rows.row(row)[column] }
        }
        columns.row(rows.length).update(repeating: -1, count: rows.count)
        return columns
    }
}

extension Rows {
    /// One of the vectors as a column of numbers.
    fileprivate func column(_ index: Int) -> Rows { Rows(base: row(index), count: length, length: 1) }
}
