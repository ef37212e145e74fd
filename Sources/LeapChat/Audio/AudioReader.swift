import Foundation
package import LeapAudio
package import LeapBase
package import LeapModel
package import LeapTokenizer

/// Reads the sounds in messages for one model.
///
/// Of a WAV file only the header is read for a prompt. Samples are decoded, resampled and made to a spectrum in pieces,
/// where the encoder needs it; spectra of the latest sounds are kept. Files of other formats are decoded as a whole for
/// both, once for their length (``AudioLengths``).
package final class AudioReader: MediaReader {
    /// Changes where spectra of the same samples do.
    private static let version = 1
    /// Samples that are decoded at a time.
    private static let blockLength = 1 << 16

    package let encoder: StableHash
    /// The form of the spectra that the encoder reads.
    package let form: SpectrumForm
    package var medium: Medium { .audio }
    /// Tokens that a prompt may have.
    package let contextSize: Int
    let places: MediaPlaces
    /// The tokens around a sound, where the model has such.
    private let before: TokenID?
    private let behind: TokenID?

    private let spectra = Locked(
        LatestValues<[UInt8], AudioSpectrum>(maxBytes: KeptMedia.maxInputBytes) { $0.values.count * 4 })

    /// Prepares for an encoder, which may be in another process.
    ///
    /// - Parameter tokenizer: the model's, which has the tokens around sounds.
    package init(encoder: StableHash, form: SpectrumForm, contextSize: Int, tokenizer: Tokenizer? = nil) {
        self.encoder = encoder
        self.form = form
        self.contextSize = contextSize
        places = MediaPlaces(encoder: encoder, fingerprint: [Self.version])
        let marks = form.marks
        (before, behind) = (
            marks.flatMap { tokenizer?.token(for: $0.before) }, marks.flatMap { tokenizer?.token(for: $0.behind) }
        )
    }

    /// The parts of a number of samples; nil where it is beyond all numbers.
    private func parts(samples: Int, sampleRate: Int) -> MelSpectrum.Parts? {
        Resampler.count(of: samples, from: sampleRate, to: MelSpectrum.sampleRate)
            .map { MelSpectrum.parts(samples: $0, form: form) }
    }

    /// Vectors of a number of samples; nil where it is beyond all numbers.
    func vectorCount(samples: Int, sampleRate: Int) -> Int? {
        guard let parts = parts(samples: samples, sampleRate: sampleRate) else { return nil }
        return parts.fullCount * form.vectorCount(frames: parts.framesOfFull)
            + form.vectorCount(frames: parts.framesOfLast)
    }

    package func read(_ file: MediaFile) throws -> (tokens: [TokenID], parts: [MediaPart]) {
        let length: AudioLengths.Length
        do {
            length = try AudioLengths.of(file)
        } catch {
            throw LeapGenerationException(error)
        }
        if let note = length.note { LeapLog.logger.warning("\(note)") }
        guard length.sampleCount > 0 else {
            throw LeapGenerationException(
                message: "the audio has no samples: remove it, or record it again",
                cause: AudioFileError(.empty, "the file has no samples"))
        }
        _ = try checkedVectorCount(samples: length.sampleCount, sampleRate: length.sampleRate)
        guard let found = parts(samples: length.sampleCount, sampleRate: length.sampleRate) else { return ([], []) }
        var tokens: [TokenID] = []
        var parts: [MediaPart] = []
        for index in 0..<found.count {
            let frames = found.frames(of: index)
            let count = form.vectorCount(frames: frames.count)
            tokens += before.map { [$0] } ?? []
            tokens += places.places(count, part: index, digest: file.digest, isApart: form.marks != nil)
            tokens += behind.map { [$0] } ?? []
            parts.append(
                MediaPart(tokenCount: count, medium: .audio) { [self] in
                    let whole = try spectrum(of: file)
                    return .audio(found.count == 1 ? whole : whole.part(frames))
                })
        }
        return (tokens, parts)
    }

    /// The vectors of a sound that a prompt has room for.
    ///
    /// - Throws: ``LeapGenerationPromptExceedContextLengthException``.
    package func checkedVectorCount(samples: Int, sampleRate: Int) throws -> Int {
        let count = vectorCount(samples: samples, sampleRate: sampleRate) ?? .max - 1
        guard count < contextSize else {
            let seconds = samples / max(1, sampleRate)
            throw LeapGenerationPromptExceedContextLengthException(
                message:
                    "\(seconds) seconds of audio take \(count) tokens, but the context holds \(contextSize): use shorter audio (a second takes \(form.tokensPerSecond) tokens), or load the model with a larger contextSize",
                neededTokens: count + 1, availableTokens: contextSize)
        }
        return count
    }

    /// Keeps a spectrum that was made while its sound was recorded.
    package func keep(_ spectrum: MelSpectrum, digest: [UInt8]) {
        let spectrum = Self.content(spectrum)
        spectra.withLock { $0.keep(spectrum, for: digest) }
    }

    /// Returns whether a sound's spectrum is kept.
    func hasSpectrum(digest: [UInt8]) -> Bool { spectra.withLock { $0.use(digest) != nil } }

    private func spectrum(of file: MediaFile) throws -> AudioSpectrum {
        if let spectrum = spectra.withLock({ $0.use(file.digest) }) { return spectrum }
        let sound = try AudioFile.read(file.data)
        var builder = MelSpectrumBuilder(sampleRate: sound.sampleRate, form: form)
        for start in stride(from: 0, to: sound.sampleCount, by: Self.blockLength) {
            builder.append(sound.samples(start..<min(sound.sampleCount, start + Self.blockLength)))
        }
        let spectrum = Self.content(builder.finish())
        spectra.withLock { $0.keep(spectrum, for: file.digest) }
        return spectrum
    }

    /// A spectrum as an encoder takes it.
    private static func content(_ spectrum: MelSpectrum) -> AudioSpectrum {
        AudioSpectrum(frameCount: spectrum.frameCount, bandCount: spectrum.bandCount, values: spectrum.values)
    }
}

extension AudioSpectrum {
    /// Some of the frames.
    fileprivate func part(_ range: Range<Int>) -> AudioSpectrum {
        let range = range.clamped(to: 0..<frameCount)
        return AudioSpectrum(
            frameCount: range.count, bandCount: bandCount,
            values: Array(values[range.lowerBound * bandCount..<range.upperBound * bandCount]))
    }
}

extension SpectrumForm {
    /// The tokens around the places of a sound; nil where the chat format alone writes what is around it.
    fileprivate var marks: (before: String, behind: String)? {
        switch self {
        case .normalised, .scaled: nil
        case .magnitudes, .samples: ("<|audio>", "<audio|>")
        }
    }

    /// The tokens that a second of sound takes, for messages.
    fileprivate var tokensPerSecond: String {
        switch self {
        case .normalised, .scaled: "12.5"
        case .magnitudes: "25"
        case .samples(let count): "\((MelSpectrum.sampleRate + count - 1) / max(1, count))"
        }
    }
}
