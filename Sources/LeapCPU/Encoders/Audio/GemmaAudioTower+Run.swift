import LeapBase
import LeapCompute
import LeapModel

extension GemmaAudioTower {
    /// The vectors of a spectrum; nil if it was stopped.
    func run(_ frames: Rows, _ pass: ForwardPass, _ shouldContinue: () -> Bool) throws(EngineError) -> Rows? {
        guard let stream = try subsampling.run(frames, into: .stream, pass, shouldContinue: shouldContinue)
        else { return nil }
        let distances = try GemmaAudioAttention.sinusoids(length: stream.length, pass)
        for layer in layers {
            guard shouldContinue() else { return nil }
            try layer.run(stream, distances: distances, pass)
        }
        return try pass.project(stream, output, into: .hidden)
    }
}

extension GemmaConformerLayer {
    /// Runs the layer in place.
    func run(_ stream: Rows, distances: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.normed, .branch]) }
        try run(first, stream, pass)
        let attended = try attention.run(try pass.norm(stream, attentionNorm), distances: distances, pass)
        try pass.add(attended, to: stream, norm: attentionPostNorm, scale: 1)
        pass.kernels.add(try convolution.run(try pass.norm(stream, convolution.norm), pass), to: stream)
        try run(second, stream, pass)
        pass.kernels.norm(stream, outputNorm, into: stream)
    }

    private func run(_ part: Network, _ stream: Rows, _ pass: ForwardPass) throws(EngineError) {
        let out = try part.network.run(try pass.norm(stream, part.norm), pass)
        try pass.add(out, to: stream, norm: part.postNorm, scale: 0.5)
    }
}

extension GemmaAudioConvolution {
    func run(_ rows: Rows, _ pass: ForwardPass) throws(EngineError) -> Rows {
        defer { pass.release([.gatedUnits, .unitInputs, .mixed]) }
        let gated = try pass.rows(.gatedUnits, rows.count, rows.length)
        pass.kernels.gatedLinearUnit(try pass.project(rows, input, into: .unitInputs), into: gated)
        let mixed = try pass.rows(.mixed, rows.count, rows.length)
        var inputs: [UnsafePointer<Float>?] = []
        inputs.reserveCapacity(rows.count * taps)
        for row in 0..<rows.count {
            for tap in 0..<taps {
                let source = row + tap + 1 - taps
                inputs.append(source >= 0 ? UnsafePointer(gated.row(source)) : nil)
            }
        }
        pass.kernels.depthwise(inputs, filters, taps: taps, into: mixed)
        pass.kernels.norm(mixed, innerNorm, into: mixed)
        pass.kernels.silu(mixed)
        return try pass.project(mixed, output, into: .branch)
    }
}

extension GemmaSubsampling {
    /// Vectors that are made at a time.
    private static let blockLength = 16

    /// The vectors of a spectrum; nil if it was stopped.
    ///
    /// - Parameters:
    ///   - purpose: the buffer of the vectors.
    ///   - shouldContinue: asked before each block.
    func run(
        _ spectrum: Rows, into purpose: Workspace.Purpose, _ pass: ForwardPass, shouldContinue: () -> Bool
    ) throws(EngineError) -> Rows? {
        let count = Self.vectorCount(frames: spectrum.count)
        let vectors = try pass.rows(purpose, count, output.rows)
        for start in stride(from: 0, to: count, by: Self.blockLength) {
            guard shouldContinue() else { return nil }
            let block = start..<min(count, start + Self.blockLength)
            try run(spectrum, block, into: vectors.slice(block), pass)
        }
        return vectors
    }

    private func run(_ spectrum: Rows, _ block: Range<Int>, into out: Rows, _ pass: ForwardPass) throws(EngineError) {
        defer { pass.release([.neighbours, .firstMap, .channelNeighbours, .secondMap]) }
        let (halfFrames, half) = (ConvolutionSubsampling.halved(spectrum.count), ConvolutionSubsampling.halved(bands))
        let times = max(0, 2 * block.lowerBound - 1)..<min(halfFrames, 2 * block.upperBound)
        let patches = try pass.rows(.neighbours, times.count * half, 9)
        fill(patches, times: times, bands: half, channels: 1) { time, band in
            time >= 0 && time < spectrum.count && band >= 0 && band < bands
                ? UnsafePointer(spectrum.row(time) + band) : nil
        }
        let first = try pass.project(patches, first, into: .firstMap)
        pass.kernels.norm(first, firstNorm, into: first)
        pass.kernels.relu(first)
        let quarter = ConvolutionSubsampling.halved(half)
        let neighbours = try pass.rows(.channelNeighbours, block.count * quarter, 9 * first.length)
        fill(neighbours, times: block, bands: quarter, channels: first.length) { time, band in
            times.contains(time) && band >= 0 && band < half
                ? UnsafePointer(first.row((time - times.lowerBound) * half + band)) : nil
        }
        let second = try pass.project(neighbours, second, into: .secondMap)
        pass.kernels.norm(second, secondNorm, into: second)
        pass.kernels.relu(second)
        // The channels of a time's bands lie side by side already.
        let flat = Rows(base: second.base, count: block.count, length: quarter * second.length)
        try pass.project(flat, [(output, out)])
    }

    /// Writes the nine neighbours of each output of a convolution, channel by channel.
    ///
    /// - Parameter pixel: the channels at a time and a band of the input; nil for zeros.
    private func fill(
        _ rows: Rows, times: Range<Int>, bands: Int, channels: Int,
        _ pixel: (_ time: Int, _ band: Int) -> UnsafePointer<Float>?
    ) {
        for (index, time) in times.enumerated() {
            for band in 0..<bands {
                let target = rows.row(index * bands + band)
                for place in 0..<9 {
                    let source = pixel(2 * time - 1 + place / 3, 2 * band - 1 + place % 3)
                    for channel in 0..<channels { target[9 * channel + place] = source?[channel] ?? 0 }
                }
            }
        }
    }
}
