import LeapGGUF

/// Three convolutions that each halve a spectrum in time and in frequency, and a product that makes a vector of what is
/// left of 8 frames.
///
/// The first goes over the spectrum as it is; the other two over each channel for itself, with a product over the
/// channels behind. A vector is made of its own frames and the seven before them; what lies beside the spectrum, or
/// beside what a convolution made of it, is 0.
package struct ConvolutionSubsampling: Sendable {
    /// Frames of a vector.
    package static let factor = 8
    package let bands: Int
    package let channels: Int
    package let first: Matrix
    package let depthwise: [DepthwiseFilters]
    package let pointwise: [Matrix]
    package let output: Matrix

    init(_ binder: WeightBinder, bands: Int, length: Int) throws {
        let channels = binder.file.tensor("a.conv1d.0.weight")?.shape.last ?? 1
        (self.bands, self.channels) = (bands, channels)
        func bias(_ index: Int) throws -> Vector {
            // Converters write it as a picture of one pixel.
            let name = "a.conv1d.\(index).bias"
            let isFlat = binder.file.tensor(name)?.shape.count == 1
            return try binder.floats(name, shape: isFlat ? [channels] : [1, 1, channels])
        }
        func products(_ index: Int, _ filter: [Int]) throws -> Matrix {
            var matrix = try binder.filters("a.conv1d.\(index)", count: channels, filter: filter)
            matrix.bias = try bias(index)
            return matrix
        }
        first = try products(0, [3, 3, 1])
        depthwise = try [2, 5].map { index in
            DepthwiseFilters(
                try binder.floats("a.conv1d.\(index).weight", shape: [3, 3, 1, channels]), bias: try bias(index),
                taps: 9, channels: channels)
        }
        pointwise = try [3, 6].map { try products($0, [1, 1, channels]) }
        let kept = Self.halved(Self.halved(Self.halved(bands)))
        output = try binder.matrix("a.pre_encode.out", rows: length, columns: channels * kept, bias: true)
    }

    package static func halved(_ count: Int) -> Int { (count + 1) / 2 }

    /// Vectors that come of a number of frames.
    package static func vectorCount(frames: Int) -> Int { halved(halved(halved(frames))) }
}

/// The filters of a convolution of each channel for itself.
package final class DepthwiseFilters: Sendable {
    package let taps: Int
    package let channels: Int
    /// `[channels][taps]`.
    package let filters: Vector
    package let bias: Vector
    /// The factors of the output, one for each channel; nil for 1.
    package let scale: Vector?
    /// The biases of the output, one for each channel; nil for 0.
    package let shift: Vector?

    init(
        _ filters: Vector, bias: Vector, taps: Int, channels: Int, scale: Vector? = nil, shift: Vector? = nil
    ) {
        self.filters = filters
        self.bias = bias
        self.taps = taps
        self.channels = channels
        self.scale = scale
        self.shift = shift
    }
}
