/// Vectors that go into layers in place of the embeddings of tokens: what an encoder makes of a picture or of sound.
package protocol InputVectors {
    /// The vector at a position of the sequence, as long as those between the layers; valid until the next call.
    func vector(at position: Int) -> UnsafePointer<Float>
}
