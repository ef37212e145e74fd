package import LeapBase

/// The input of an encoder.
package enum MediaContent: Sendable {
    /// A picture, a tile of one, or two frames of a video.
    case image(ImagePatches)
    /// All of a sound.
    case audio(AudioSpectrum)
    /// A piece of a sound; the pieces before it were encoded.
    case audioPiece(AudioPiece)
    /// Frames of speech that follow one another.
    case speech([SpeechFrame])
}

/// The red, green and blue of a picture's pixels, cut into patches.
package struct ImagePatches: Sendable {
    /// Patches in each direction; both multiples of the projector's factor.
    package let rows: Int
    package let columns: Int
    /// `[rows · columns][3][patchSize][patchSize]`, patch by patch.
    package let values: [Float]
    /// The same of the second of two frames; nil for a picture, which is both frames.
    package let secondValues: [Float]?

    package init(rows: Int, columns: Int, values: [Float], secondValues: [Float]? = nil) {
        self.rows = rows
        self.columns = columns
        self.values = values
        self.secondValues = secondValues
    }
}

/// The spectrum of a sound: a value for each band of frequencies, frame by frame.
package struct AudioSpectrum: Sendable {
    package let frameCount: Int
    /// Bands of a frame.
    package let bandCount: Int
    /// `[frameCount][bandCount]`.
    package let values: [Float]

    package init(frameCount: Int, bandCount: Int = SpectrumForm.normalisedBandCount, values: [Float]) {
        self.frameCount = frameCount
        self.bandCount = bandCount
        self.values = values
    }

    /// Vectors that come of it where the form is ``SpectrumForm/normalised`` or ``SpectrumForm/scaled(bands:)``.
    package var vectorCount: Int { ConvolutionSubsampling.vectorCount(frames: frameCount) }
}

extension SpectrumForm {
    /// Vectors that come of a number of frames, which are a whole sound or a part of it.
    package func vectorCount(frames: Int) -> Int {
        switch self {
        case .normalised, .scaled: ConvolutionSubsampling.vectorCount(frames: frames)
        case .magnitudes: GemmaSubsampling.vectorCount(frames: frames)
        case .samples: frames
        }
    }
}
