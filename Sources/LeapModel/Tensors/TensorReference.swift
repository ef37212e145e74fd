package import LeapGGUF

/// A tensor of a file that a model's description refers to.
///
/// It keeps the file's memory alive. Whoever computes asks it for the bytes; the description itself holds no addresses.
package final class TensorReference: Sendable {
    /// The tensor.
    package let tensor: GGUFTensor
    /// The place of the tensor's first byte.
    package var place: TensorPlace { TensorPlace(file: tensor.fileIdentity, offset: tensor.fileOffset) }

    package init(_ tensor: GGUFTensor) { self.tensor = tensor }
}

/// The place of bytes of a model: the open file, and the offset in it.
///
/// It means something as long as something keeps the file open.
package struct TensorPlace: Hashable, Sendable {
    /// The identity of the file, or of a part of a split one.
    package let file: ObjectIdentifier
    /// Bytes from the start of the file.
    package let offset: Int
}
