/// How much of pictures is kept in memory, beside the state of prompts.
package enum KeptPictures {
    /// Bytes of the vectors of pictures that an engine keeps.
    package static let maxVectorBytes = 32 << 20
    /// Bytes of the pixels of pictures, as encoders take them, that a loaded model keeps.
    package static let maxPixelBytes = 64 << 20
}
