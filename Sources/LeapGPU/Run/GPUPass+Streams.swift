import LeapModel

/// Streams side by side, residuals of low rank, and the vectors that tokens have for a layer.
extension GPUPass {
    /// Predicts the streams of a layer, the first of which it goes on with.
    func predict(_ update: GPUStreamUpdate, _ flow: inout Flow) throws(GPUError) {
        guard let streams = flow.streams else { throw .invalid("a layer without its streams") }
        let logits = try route(update, &flow)
        let predicted = try scratch.take(
            flow.areStreamsMoved ? .predictedStreams : .movedStreams, flow.rows * update.count * model.width)
        try flow.recording.predict(
            update, logits, before: streams, length: model.width, count: flow.rows, into: predicted,
            first: flow.stream)
        try flow.recording.barrier()
        flow.streams = predicted
        flow.areStreamsMoved.toggle()
    }

    /// Corrects the streams by what the layer made of the first one.
    func correct(_ update: GPUStreamUpdate, _ flow: inout Flow) throws(GPUError) {
        guard let streams = flow.streams else { throw .invalid("a layer without its streams") }
        let logits = try route(update, &flow)
        try flow.recording.correct(
            update, logits, length: model.width, count: flow.rows, streams: streams, first: flow.stream)
        try flow.recording.barrier()
    }

    /// Computes the router's logits of the stream.
    private func route(_ update: GPUStreamUpdate, _ flow: inout Flow) throws(GPUError) -> GPUBinding {
        let normed = try scratch.take(.normed, flow.rows * model.width)
        try flow.recording.norm(flow.stream, update.norm, length: model.width, count: flow.rows, into: normed)
        try flow.recording.barrier()
        let logits = try scratch.take(.routed, flow.rows * update.count)
        try flow.recording.multiply(update.router, normed, count: flow.rows, into: logits)
        try flow.recording.barrier()
        return logits
    }

    /// Makes one stream of those behind the last layer.
    ///
    /// - Parameter returns: the matrices of all streams but the first.
    func join(_ returns: [GPUMatrix], _ inputs: BatchInputs, _ flow: inout Flow) throws(GPUError) {
        guard let streams = flow.streams else { throw .invalid("layers without their streams") }
        let count = returns.count + 1, length = model.width
        for (index, matrix) in returns.enumerated() {
            let other = try scratch.take(.normed, flow.rows * length)
            try flow.recording.gather(
                streams, rows: inputs.streamRows[index], count: flow.rows, length: length, into: other)
            try flow.recording.barrier()
            let branch = try scratch.take(.branch, flow.rows * length)
            try flow.recording.multiply(matrix, other, count: flow.rows, into: branch)
            try flow.recording.barrier()
            try flow.recording.add(
                branch, matching: streams, stride: count * length, least: AlternatingStreams.leastMeanSquare,
                factor: index == returns.count - 1 ? 1 / Float(count) : 1, length: length, count: flow.rows,
                into: flow.stream)
            try flow.recording.barrier()
        }
    }

    /// Adds a residual of what the mixer reads, and that itself, to the stream.
    func add(_ laurel: GPULaurel, _ normed: GPUBinding, _ flow: inout Flow) throws(GPUError) {
        let (rows, length) = (flow.rows, model.width)
        let inner = try scratch.take(.inner, rows * laurel.down.rows), branch = try scratch.take(.branch, rows * length)
        try flow.recording.multiply(laurel.down, normed, count: rows, into: inner)
        try flow.recording.barrier()
        try flow.recording.multiply(laurel.up, inner, count: rows, into: branch)
        try flow.recording.barrier()
        try flow.recording.norm(branch, laurel.norm, length: length, count: rows, into: flow.stream, isAdded: true)
        try flow.recording.barrier()
        try flow.recording.addScaled(normed, scale: 1, length: length, count: rows, into: flow.stream)
        try flow.recording.barrier()
    }

    /// Adds what a layer makes of the tokens' vectors to the stream, or to those beside it.
    ///
    /// - Parameter factor: the factor of the stream behind it.
    func add(_ input: GPUTokenInput, factor: Float, _ flow: inout Flow) throws(GPUError) {
        guard let vectors = flow.tokenInputs else { throw .invalid("a layer without its tokens' vectors") }
        let (rows, length) = (flow.rows, model.width)
        var read = flow.stream
        if let factors = input.scale {
            read = try scratch.take(.normed, rows * length)
            try flow.recording.scale(flow.stream, columns: factors, length: length, count: rows, into: read)
            try flow.recording.barrier()
        }
        let gates = try scratch.take(.inner, rows * input.gate.rows), branch = try scratch.take(.branch, rows * length)
        try flow.recording.multiply(input.gate, read, count: rows, into: gates)
        try flow.recording.barrier()
        try flow.recording.activate(
            gates, timesInputs: vectors.rows, stride: vectors.length, start: input.start, length: input.gate.rows,
            count: rows)
        try flow.recording.barrier()
        try flow.recording.multiply(input.projection, gates, count: rows, into: branch)
        try flow.recording.barrier()
        guard let streams = flow.streams, let update = model.alternating else {
            try flow.recording.norm(
                branch, input.norm, length: length, count: rows, into: flow.stream, isAdded: true, factor: factor)
            return try flow.recording.barrier()
        }
        let normed = try scratch.take(.lifted, rows * length)
        try flow.recording.norm(branch, input.norm, length: length, count: rows, into: normed)
        try flow.recording.barrier()
        try flow.recording.add(normed, toOthersOf: streams, update.count, length: length, count: rows)
        try flow.recording.barrier()
    }

    /// Computes a dense network and a mixture of the same stream, and adds their sum to it.
    ///
    /// - Parameter normed: what the dense network reads.
    func run(
        _ networks: GPUSideBySide, _ normed: GPUBinding, _ ending: Ending, _ flow: inout Flow
    ) throws(GPUError) {
        let (rows, length) = (flow.rows, model.width)
        // The sum is of both networks' results, each behind its norm.
        let inner = try lift(networks.dense, normed, into: .inner, &flow)
        let (dense, sum) = (try scratch.take(.branch, rows * length), try scratch.take(.sum, rows * length))
        try flow.recording.multiply(networks.dense.down, inner, count: rows, into: dense)
        try flow.recording.norm(flow.stream, networks.routerNorm, length: length, count: rows, into: normed)
        try flow.recording.barrier()
        try flow.recording.norm(dense, networks.densePostNorm, length: length, count: rows, into: sum)
        let choice = try choose(networks.mixture.router, normed, &flow)
        try flow.recording.norm(flow.stream, networks.mixtureNorm, length: length, count: rows, into: normed)
        try flow.recording.barrier()
        let mixed = try scratch.take(.branch, rows * length)
        try mix(networks.mixture, normed, choice, into: mixed, isAdded: false, &flow)
        try flow.recording.norm(
            mixed, networks.mixturePostNorm, length: length, count: rows, into: sum, isAdded: true)
        try flow.recording.barrier()
        try finish(sum, ending, &flow)
    }
}
