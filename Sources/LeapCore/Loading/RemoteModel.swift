import Dispatch
package import LeapBase
package import LeapChat
import LeapEngine
package import LeapGGUF
package import LeapModel
import LeapTokenizer

/// A model whose weights another process computes with.
///
/// Prompts are made and replies are read in this process, by the same code as for a model that is loaded here; only
/// tokens, and the codes and samples of speech, go back and forth.
package struct RemoteModel: Sendable {
    /// The model's files, as the other process has them.
    package var files: ModelFiles
    /// The sampling values of the manifest and the file.
    package var sampling: SamplingValues
    /// The adapters that the other process has loaded.
    package var adapters: [ModelAdapter]
    /// The formats in which the model reads pictures and sounds.
    package var media: [MediaFormat]
    /// The hash that names the decoder that it speaks with; nil where it does not speak.
    package var speech: StableHash?
    /// The form of its speech.
    package var speechForm: SpeechForm

    package init(
        files: ModelFiles, sampling: SamplingValues, adapters: [ModelAdapter], media: [MediaFormat],
        speech: StableHash?, speechForm: SpeechForm = .lfm2Audio
    ) {
        self.files = files
        self.sampling = sampling
        self.adapters = adapters
        self.media = media
        self.speech = speech
        self.speechForm = speechForm
    }

    /// The media that the projector's file has encoders for and that are not read, by its header.
    private var unreadMedia: [UnreadMedium] {
        guard let path = files.multimodalProjectorPath, let file = try? GGUFFile.open(path: path) else { return [] }
        return (try? MediaEncoders.unread(file.metadata)) ?? []
    }

    /// Reads what prompts need from the model's file, and makes a runner over a backend.
    ///
    /// - Parameters:
    ///   - chatTemplate: a template over the manifest's and the file's.
    ///   - extras: the extras of loading, for what concerns this process.
    ///   - parameters: values over the manifest's.
    ///   - hasCache: whether the options of loading asked for a cache.
    ///   - makeBackend: makes the backend, which keeps the file open.
    /// - Throws: ``LeapModelLoadingException`` where the file cannot be read here.
    package func runner(
        chatTemplate: String?, extras: LoadExtras, parameters: GenerationTimeParameters?, generatesText: Bool,
        hasCache: Bool = false,
        makeBackend: @escaping @Sendable (GGUFFile) -> any InferenceBackend
    ) async throws -> LiquidInferenceEngineRunner {
        try await WorkQueue.loading.run { [self] in
            do {
                let file = try GGUFFile.open(path: files.modelPath, useMmap: true)
                let tokenizer = try Tokenizer(
                    metadata: file.metadata, fileStaysOpen: true, preTokenizer: extras.preTokenizer)
                WorkQueue.loading.async { tokenizer.prepareToEncode() }
                var builder =
                    generatesText
                    ? try PromptFormats.builder(
                        metadata: file.metadata, tokenizer: tokenizer, option: chatTemplate,
                        manifest: files.chatTemplate, path: files.modelPath)
                    : PromptFormats.unusedBuilder(tokenizer: tokenizer)
                let backend = makeBackend(file)
                builder.media = media.flatMap { $0.readers(tokenizer, contextSize: backend.contextSize) }
                builder.speech = speech.map {
                    SpeechReader(
                        $0, form: speechForm, tokenizer: tokenizer,
                        readsImages: builder.mediaReader(.image) != nil)
                }
                return LiquidInferenceEngineRunner(
                    files: files, backend: backend, builder: builder,
                    sampling: (parameters?.samplingParameters?.values ?? [:]).filled(from: sampling),
                    adapters: LoadedAdapters(elsewhere: adapters), unreadMedia: unreadMedia,
                    addressedImages: AddressedImages(maxBytes: extras.maxRemoteImageBytes),
                    hasCache: hasCache)
            } catch let error as LeapException {
                throw error
            } catch {
                throw LeapModelLoadingException(
                    message: "\(files.modelPath) cannot be read: \(error)", path: files.modelPath, cause: error)
            }
        }
    }
}
