package import LeapGGUF

/// A tensor of a file that a model's description refers to.
///
/// It keeps the file's memory alive. Whoever computes asks it for the bytes; the description itself holds no addresses.
package final class TensorReference: Sendable {
    /// The tensor.
    package let tensor: GGUFTensor
    /// Where it lies.
    package var place: TensorPlace { TensorPlace(part: tensor.part, offset: tensor.fileOffset) }

    package init(_ tensor: GGUFTensor) { self.tensor = tensor }
}

/// Where bytes of a model lie: in which of its files, and where in that.
package struct TensorPlace: Hashable, Sendable {
    package let part: Int
    package let offset: Int
}
