/// Vectors that go into layers in place of the embeddings of tokens: what an encoder makes of a picture or of sound.
package protocol InputVectors {
    /// The vector at a position of the sequence, as long as those between the layers; valid until the next call.
    func vector(at position: Int) -> UnsafePointer<Float>

    /// Returns the vector to add behind one of the first layers at a position of the sequence; nil for nothing.
    func addition(at position: Int, layer: Int) -> UnsafePointer<Float>?

    /// Returns the place of a position for rotations that tell rows and columns apart, of a sequence without tokens.
    func rotaryPosition(at position: Int) -> RotaryPosition
}

extension InputVectors {
    package func addition(at position: Int, layer: Int) -> UnsafePointer<Float>? { nil }
    package func rotaryPosition(at position: Int) -> RotaryPosition { RotaryPosition(position) }
}
