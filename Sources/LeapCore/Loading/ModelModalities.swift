import LeapEngine
import LeapGGUF
import LeapModel

/// The kinds of input that a model takes and the kinds of output that it gives.
package struct ModelModalities: Sendable, Equatable {
    package enum Input: String, Sendable { case text, image, audio, video }
    package enum Output: String, Sendable { case text, audio, embeddings, scores, decisions }

    package var input: [Input]
    package var output: [Output]

    /// Derives the modalities of a loaded model from its capabilities.
    ///
    /// - Parameter readsVideo: whether its encoder of pictures takes two frames at a time.
    package init(_ capabilities: [ModelCapability], readsVideo: Bool) {
        let isWriter = capabilities.contains(.completion)
        input = [.text]
        if capabilities.contains(.vision) { input.append(.image) }
        if capabilities.contains(.audio) { input.append(.audio) }
        if readsVideo { input.append(.video) }
        let scoresOnly = capabilities.contains(.reranking) && !capabilities.contains(.embedding)
        let answers = capabilities.contains(.decisions)
        output = isWriter ? [.text] : answers ? [] : scoresOnly ? [.scores] : [.embeddings]
        if answers { output.append(.decisions) }
        if capabilities.contains(.speech) { output.append(.audio) }
    }

    /// Reads the modalities from the headers of a model's files; no weights are read.
    ///
    /// A companion that belongs to another model is left out, as it is when the model is loaded.
    /// - Throws: `GGUFError` if the model's file cannot be read.
    package init(headersOf files: ModelFiles) throws {
        let model = try GGUFFile.open(path: files.modelPath)
        var found: [ModelCapability] = []
        var readsVideo = false
        let answers = Model.answersQuestions(model)
        if answers { found.append(.decisions) }
        let (length, writes) = (Model.embeddingLength(model), Model.generatesText(model))
        if writes, !answers || Model.hasChatTemplate(model) { found.append(.completion) }
        if writes || Model.answersAboutMedia(model), let projector = Self.projector(files.multimodalProjectorPath) {
            if projector.hasVision, projector.outputLength == length, Self.reads(.image, projector.visionKind) {
                found.append(.vision)
                readsVideo = Self.reads(.video, projector.visionKind)
            }
            if writes, projector.generatorKind == SpeechDecoder.generatorKind,
                projector.generatorInputLength == length
            {
                found.append(.speech)
            }
            if projector.hasAudio, projector.audioOutputLength == length, Self.reads(.audio, projector.audioKind) {
                found.append(.audio)
            }
        }
        if writes, let decoder = Self.speechDecoder(files.audioDecoderPath), decoder.inputLength == length,
            !found.contains(.speech)
        {
            found.append(.speech)
        }
        if Model.classifiesOnly(model) { found.append(.reranking) }
        self.init(found, readsVideo: readsVideo)
    }

    private static func reads(_ medium: Medium, _ kind: String?) -> Bool {
        kind.map { MediaEncoders.reads(medium, kind: $0) } ?? false
    }

    private static func projector(_ path: String?) -> GGUFProjector? {
        guard let path, let file = try? GGUFFile.open(path: path) else { return nil }
        return GGUFProjector(file.metadata).flatMap { $0.hasVision || $0.hasAudio ? $0 : nil }
    }

    private static func speechDecoder(_ path: String?) -> GGUFSpeechDecoder? {
        guard let path, let file = try? GGUFFile.open(path: path) else { return nil }
        return GGUFSpeechDecoder(file.tensors.lazy.map { ($0.name, $0.shape) })
    }
}
