import Foundation

/// The discrete Fourier transform of real samples (Cooley and Tukey, 1965) and its inverse: two halves of them as one
/// complex transform of half the size.
struct RealTransform: Sendable {
    /// Samples; a power of two, or 5 or 25 times one.
    let size: Int
    private let half: Int
    /// The largest odd factor of the size: 1, 5 or 25.
    private let odd: Int
    /// e^(-2πik/size), k < half.
    private let cosines: [Float]
    private let sines: [Float]
    /// The place to which the sample of each place goes.
    private let reversed: [Int]

    init(size: Int) {
        let half = size / 2
        odd = size >> size.trailingZeroBitCount
        precondition(size >= 4 && size % 2 == 0 && [1, 5, 25].contains(odd), "a power of two, or 5 or 25 times one")
        let blocks = half / odd
        self.size = size
        self.half = half
        cosines = (0..<half).map { Float(cos(2 * .pi * Double($0) / Double(size))) }
        sines = (0..<half).map { Float(-sin(2 * .pi * Double($0) / Double(size))) }
        let (odd, bits) = (odd, blocks.trailingZeroBitCount)
        reversed = (0..<half).map { index in
            let block = (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
            return block * odd + index >> bits
        }
    }

    /// The squared magnitudes of the first size / 2 + 1 frequencies.
    ///
    /// - Parameter scratch: `size` floats.
    /// - Precondition: `samples` has `size` elements and `powers` size / 2 + 1.
    func powers(
        of samples: UnsafePointer<Float>, _ powers: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
    ) {
        let (real, imaginary) = (scratch, scratch + half)
        for index in 0..<half {
            let place = reversed[index]
            real[place] = samples[2 * index]
            imaginary[place] = samples[2 * index + 1]
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                transform(real, imaginary, cosines, sines)
                separate(real, imaginary, cosines, sines, powers)
            }
        }
    }

    private func transform(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>,
        _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>
    ) {
        if odd > 1 { transformBlocks(real, imaginary, cosines, sines) }
        var width = odd
        while width < half {
            // The factors are those of the whole size: every other one of half of it, and so on.
            let step = half / width
            for start in stride(from: 0, to: half, by: 2 * width) {
                for offset in 0..<width {
                    let (a, b) = (start + offset, start + offset + width)
                    let (c, s) = (cosines[offset * step], sines[offset * step])
                    let r = real[b] * c - imaginary[b] * s
                    let i = real[b] * s + imaginary[b] * c
                    real[b] = real[a] - r
                    imaginary[b] = imaginary[a] - i
                    real[a] += r
                    imaginary[a] += i
                }
            }
            width *= 2
        }
    }

    /// The transforms of blocks of as many numbers as the odd factor, which follow one another.
    private func transformBlocks(
        _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>,
        _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * odd) { input in
            for start in stride(from: 0, to: half, by: odd) {
                for index in 0..<odd {
                    input[index] = real[start + index]
                    input[odd + index] = imaginary[start + index]
                }
                for k in 0..<odd {
                    var (r, i) = (input[0], input[odd])
                    for n in 1..<odd {
                        // e^(-2πikn/odd), which the table has up to half of a turn.
                        let turn = k * n % odd * (size / odd)
                        let (c, s) =
                            turn < half ? (cosines[turn], sines[turn]) : (-cosines[turn - half], -sines[turn - half])
                        r += input[n] * c - input[odd + n] * s
                        i += input[n] * s + input[odd + n] * c
                    }
                    real[start + k] = r
                    imaginary[start + k] = i
                }
            }
        }
    }

    /// The samples whose transform is given by its first size / 2 + 1 frequencies.
    ///
    /// The imaginary parts of the first and the last one count as zero.
    /// - Parameter scratch: `size` floats.
    /// - Precondition: `real` and `imaginary` have size / 2 + 1 elements and `samples` has `size`.
    func inverse(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ samples: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>
    ) {
        // The forward transform of numbers whose parts are exchanged is the inverse one with its parts exchanged.
        let (exchangedReal, exchangedImaginary) = (scratch, scratch + half)
        for k in 0..<half {
            let m = half - k
            let (lastImaginary, firstImaginary) = (m == half ? 0 : imaginary[m], k == 0 ? 0 : imaginary[k])
            let (evenReal, evenImaginary) = ((real[k] + real[m]) / 2, (firstImaginary - lastImaginary) / 2)
            let (r, i) = ((real[k] - real[m]) / 2, (firstImaginary + lastImaginary) / 2)
            let (oddReal, oddImaginary) = (r * cosines[k] + i * sines[k], i * cosines[k] - r * sines[k])
            let place = reversed[k]
            exchangedImaginary[place] = evenReal - oddImaginary
            exchangedReal[place] = evenImaginary + oddReal
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                transform(exchangedReal, exchangedImaginary, cosines, sines)
            }
        }
        let scale = 1 / Float(half)
        for index in 0..<half {
            samples[2 * index] = exchangedImaginary[index] * scale
            samples[2 * index + 1] = exchangedReal[index] * scale
        }
    }

    /// Takes the transforms of the even and the odd samples apart and puts them together to the whole one.
    private func separate(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ cosines: UnsafeBufferPointer<Float>,
        _ sines: UnsafeBufferPointer<Float>, _ powers: UnsafeMutablePointer<Float>
    ) {
        let (first, second) = (real[0] + imaginary[0], real[0] - imaginary[0])
        powers[0] = first * first
        powers[half] = second * second
        for k in 1..<half {
            let m = half - k
            let (evenReal, evenImaginary) = ((real[k] + real[m]) / 2, (imaginary[k] - imaginary[m]) / 2)
            let (oddReal, oddImaginary) = ((imaginary[k] + imaginary[m]) / 2, (real[m] - real[k]) / 2)
            let r = evenReal + oddReal * cosines[k] - oddImaginary * sines[k]
            let i = evenImaginary + oddReal * sines[k] + oddImaginary * cosines[k]
            powers[k] = r * r + i * i
        }
    }
}
