package import LeapGGUF

/// A tensor of a file that a model's description refers to.
///
/// It keeps the file's memory alive. Whoever computes asks it for the bytes; the description itself holds no addresses.
package final class TensorReference: Sendable {
    /// The tensor.
    package let tensor: GGUFTensor
    /// The place of the tensor's first byte.
    package var place: TensorPlace { TensorPlace(part: tensor.part, offset: tensor.fileOffset) }

    package init(_ tensor: GGUFTensor) { self.tensor = tensor }
}

/// The place of bytes of a model: the index of the file, and the offset in it.
package struct TensorPlace: Hashable, Sendable {
    package let part: Int
    package let offset: Int
}
