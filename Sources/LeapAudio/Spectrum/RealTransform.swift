import Foundation

/// The discrete Fourier transform of real samples (Cooley and Tukey, 1965): two halves of them as one complex transform of half the size.
struct RealTransform: Sendable {
    /// Samples; a power of two.
    let size: Int
    private let half: Int
    /// e^(-2πik/size), k < half.
    private let cosines: [Float]
    private let sines: [Float]
    /// Where the samples of each place go.
    private let reversed: [Int]

    init(size: Int) {
        precondition(size >= 4 && size & (size - 1) == 0, "a power of two")
        let half = size / 2
        self.size = size
        self.half = half
        cosines = (0..<half).map { Float(cos(2 * .pi * Double($0) / Double(size))) }
        sines = (0..<half).map { Float(-sin(2 * .pi * Double($0) / Double(size))) }
        let bits = half.trailingZeroBitCount
        reversed = (0..<half).map { index in
            (0..<bits).reduce(0) { $0 | (index >> $1 & 1) << (bits - 1 - $1) }
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
        var width = 1
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
