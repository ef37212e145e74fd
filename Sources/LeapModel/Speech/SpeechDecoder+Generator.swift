import LeapBase
package import LeapGGUF

/// The generator of sound that a projector's file has beside its encoders (LFM3-Audio, LFM3-Omni).
extension SpeechDecoder {
    /// The kind of generators that this version speaks with, as files declare it.
    package static let generatorKind = "lfm3a_gen"
    private static let keyPrefix = "clip.gen.audio"
    private static let tensorPrefix = "a.gen."

    /// The kind of the generator that a projector's file has; nil where it has none.
    ///
    /// - Throws: `GGUFError` for keys of a wrong type.
    package static func kindOfGenerator(_ metadata: GGUFMetadata) throws -> String? {
        guard try metadata.string("general.architecture") == "clip",
            try metadata.bool("clip.has_gen_audio_encoder") == true
        else { return nil }
        return try metadata.string("\(keyPrefix).projector_type") ?? "none"
    }

    /// Opens the generator of a projector's file; nil where it has none.
    ///
    /// - Throws: `GGUFError` or ``EngineError``, also for a generator of another kind.
    package static func generator(of file: GGUFFile) throws -> SpeechDecoder? {
        try kindOfGenerator(file.metadata) == nil ? nil : SpeechDecoder(file: file)
    }

    /// True if the name of a tensor is that of a generator's.
    static func isOfGenerator(_ name: String) -> Bool { name.hasPrefix(tensorPrefix) }
}

extension SpeechDecoder.Parts {
    /// The values by which codes are drawn where a file does not say: LFM3-Audio's, and LFM3-Omni's, which reads pictures.
    private static let usual: (audio: SamplingValues, omni: SamplingValues) = (
        [.temperature: 1, .topK: 128, .repetitionPenalty: 1.1, .repetitionWindow: 4096],
        [.temperature: 0.4, .topK: 0, .repetitionPenalty: 1.2, .repetitionWindow: 64]
    )

    /// Reads the generator of a projector's file.
    ///
    /// - Throws: `GGUFError` or ``EngineError``; where a tensor is missing, its message lists those of the generator
    ///   that there are.
    init(generator file: GGUFFile) throws {
        let kind = try SpeechDecoder.kindOfGenerator(file.metadata) ?? "none"
        guard kind == SpeechDecoder.generatorKind else {
            throw EngineError(
                .unsupportedArchitecture,
                "the projector generates sound of the kind \"\(ShownText.of(kind))\": this version speaks with \(SpeechDecoder.generatorKind)",
                field: "clip.gen.audio.projector_type")
        }
        let binder = WeightBinder(file: file)
        do {
            try self.init(reading: binder, file.metadata)
            try binder.refuseUnknown(within: ["a.gen."], except: [CodeDecoder.codecPrefix])
        } catch let error as EngineError where error.code == .missingTensor && !error.message.contains("\n") {
            // No published file's names are known in full.
            throw error.adding(TensorNameList.text(file.tensors.lazy.filter { SpeechDecoder.isOfGenerator($0.name) }))
        }
    }

    private init(reading binder: WeightBinder, _ metadata: GGUFMetadata) throws {
        let reader = HyperparameterReader(metadata: metadata, architecture: "clip.gen.audio")
        let columns = try reader.int("projection_dim", in: 1...(1 << 20))
        let depth = try DepthDecoder(reader, binder, input: columns)
        let feedback = try DepthDecoder.feedback(binder, columns: columns)
        let form = SpeechForm.lfm3Audio
        let codes = try CodeDecoder(codec: binder)
        guard codes.codebookCount == form.codebookCount, codes.codeCount == form.audioCodeCount else {
            throw EngineError(
                .invalidTensor,
                "the codec takes frames of \(codes.codebookCount) codes with \(codes.codeCount) values each: frames have \(form.codebookCount) of \(form.audioCodeCount)",
                field: CodeDecoder.codecPrefix + "quant.first.codebook.weight")
        }
        try reader.refuseUnknown(except: ["projector_type", "sampling."])
        let isOmni = try metadata.bool("clip.has_vision_encoder") == true
        let sampling = try SamplingValues(metadata, contextLength: Int(Int32.max), prefix: "clip.gen.audio.sampling.")
        self.init(
            form: form, depth: depth, codes: codes, feedback: feedback,
            sampling: sampling.filled(from: isOmni ? Self.usual.omni : Self.usual.audio))
    }
}
