import LeapCompute
import LeapModel

extension ConvolutionSubsampling {
    /// Vectors that are made at a time: all at once would take gigabytes for an hour.
    private static let blockLength = 16
    /// The scratch memory that a block takes.
    private static let purposes: [Workspace.Purpose] = [
        .neighbours, .firstMap, .secondFiltered, .secondMap, .thirdFiltered, .thirdMap, .flatMap,
    ]

    /// The vectors of a spectrum; nil if it was stopped.
    ///
    /// - Parameters:
    ///   - first: the first vector to make; the frames of the one before it are read.
    ///   - purpose: the buffer of the vectors.
    ///   - shouldContinue: asked before each block.
    func run(
        _ spectrum: Rows, from first: Int = 0, into purpose: Workspace.Purpose, _ pass: ForwardPass,
        shouldContinue: () -> Bool
    ) throws(EngineError) -> Rows? {
        let count = Self.vectorCount(frames: spectrum.count)
        let vectors = try pass.rows(purpose, count - first, output.rows)
        for start in stride(from: first, to: count, by: Self.blockLength) {
            guard shouldContinue() else { return nil }
            let block = start..<min(count, start + Self.blockLength)
            try run(
                spectrum, block, into: vectors.slice(block.lowerBound - first..<block.upperBound - first), pass)
        }
        return vectors
    }

    /// The places of a convolution's inputs that outputs are made of, cut to those that there are.
    private static func inputs(of outputs: Range<Int>, count: Int) -> Range<Int> {
        max(0, 2 * outputs.lowerBound - 1)..<min(count, 2 * outputs.upperBound)
    }

    private func run(
        _ spectrum: Rows, _ block: Range<Int>, into out: Rows, _ pass: ForwardPass
    ) throws(EngineError) {
        defer { pass.release(Self.purposes) }
        let (frames, halfFrames) = (spectrum.count, Self.halved(spectrum.count))
        let (half, quarter) = (Self.halved(bands), Self.halved(Self.halved(bands)))
        let thirdInputs = Self.inputs(of: block, count: Self.halved(halfFrames))
        let secondInputs = Self.inputs(of: thirdInputs, count: halfFrames)

        let patches = try patches(of: spectrum, secondInputs, frames: frames, pass)
        let first = try pass.project(patches, first, into: .firstMap)
        pass.kernels.relu(first)
        let second = try halve(
            Image(rows: first, times: secondInputs, bands: half), thirdInputs, index: 0, (.secondFiltered, .secondMap),
            pass)
        let third = try halve(
            Image(rows: second, times: thirdInputs, bands: quarter), block, index: 1, (.thirdFiltered, .thirdMap), pass)
        // What is left of a vector's frames, channel by channel.
        let kept = Self.halved(quarter)
        let flat = try pass.rows(.flatMap, block.count, channels * kept)
        for vector in 0..<block.count {
            let target = flat.row(vector)
            for band in 0..<kept {
                let source = third.row(vector * kept + band)
                for channel in 0..<channels { target[channel * kept + band] = source[channel] }
            }
        }
        try pass.project(flat, [(output, out)])
    }

    /// The nine neighbours of each output of the first convolution.
    private func patches(
        of spectrum: Rows, _ times: Range<Int>, frames: Int, _ pass: ForwardPass
    ) throws(EngineError) -> Rows {
        let half = Self.halved(bands)
        let patches = try pass.rows(.neighbours, times.count * half, 9)
        for (row, time) in times.enumerated() {
            for band in 0..<half {
                let target = patches.row(row * half + band)
                for y in 0..<3 {
                    let frame = 2 * time - 1 + y
                    for x in 0..<3 {
                        let place = 2 * band - 1 + x
                        let isInside = frame >= 0 && frame < frames && place >= 0 && place < bands
                        target[3 * y + x] = isInside ? spectrum.row(frame)[place] : 0
                    }
                }
            }
        }
        return patches
    }

    /// Vectors of channels at some times, for each of a number of bands.
    private struct Image {
        let rows: Rows
        let times: Range<Int>
        let bands: Int

        func pixel(_ time: Int, _ band: Int) -> UnsafePointer<Float>? {
            guard times.contains(time), band >= 0, band < bands else { return nil }
            return UnsafePointer(rows.row((time - times.lowerBound) * bands + band))
        }
    }

    /// A convolution of each channel and a product over them.
    private func halve(
        _ image: Image, _ times: Range<Int>, index: Int, _ purposes: (Workspace.Purpose, Workspace.Purpose),
        _ pass: ForwardPass
    ) throws(EngineError) -> Rows {
        let bands = Self.halved(image.bands)
        let out = try pass.rows(purposes.0, times.count * bands, channels)
        var inputs: [UnsafePointer<Float>?] = []
        inputs.reserveCapacity(out.count * 9)
        for time in times {
            for band in 0..<bands {
                for y in 0..<3 {
                    for x in 0..<3 { inputs.append(image.pixel(2 * time - 1 + y, 2 * band - 1 + x)) }
                }
            }
        }
        pass.kernels.depthwise(inputs, depthwise[index], into: out)
        let mixed = try pass.project(out, pointwise[index], into: purposes.1)
        pass.kernels.relu(mixed)
        return mixed
    }
}
