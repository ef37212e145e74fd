import LeapBase
import LeapGGUF
import LeapVision

/// The summary of a file as `leap inspect --json` prints it.
///
/// Absent facts are absent keys.
struct InspectionLine: Encodable {
    let path: String
    let bytes: Int
    let files: Int
    let version: UInt32
    let alignment: Int
    let architecture: String?
    let type: String?
    let adapter: Adapter?
    let projector: Projector?
    let audio_decoder: AudioDecoder?
    let name: String?
    let license: String?
    let quantization: String?
    let parameters: Int
    let types: [Share]
    let context_length: Int?
    let layers: Int?
    let draft_layers: Int?
    let embedding_length: Int?
    let feed_forward_lengths: [Int]
    let heads: [Int]
    let kv_heads: [Int]
    let experts: Int?
    let experts_used: Int?
    let tokenizer: Tokenizer
    let chat_template_bytes: Int?
    let chat_template_names: [String]
    let decision_type: String?
    let warnings: [String]
    let metadata_keys: [String]
    let keys: [Key]?
    let tensors: [Tensor]?

    struct Adapter: Encodable {
        let type: String?
        let alpha: Double?
        let ranks: [Int]
        let tensors: Int
    }

    struct Projector: Encodable {
        let type: String?
        let reads_pictures: Bool
        let reads_sound: Bool
        let generates_sound: Bool
        let picture_type: String?
        let sound_type: String?
        let generator_type: String?
        let patch_size: Int?
        let image_size: Int?
        let downsampling: Int?
        let vector_length: Int?
        let bands: Int?
        let pictures: String?
        let max_picture_tokens: Int?
        let problem: String?
    }

    struct AudioDecoder: Encodable {
        let vector_length: Int
        let codebooks: Int
        let codes: Int
        let code_layers: Int
        let code_length: Int
        let sound_layers: Int
        let sound_length: Int
        let sample_rate: Int
        let problem: String?
    }

    struct Share: Encodable {
        let type: String
        let tensors: Int
        let elements: Int
        let bytes: Int
    }

    struct Tokenizer: Encodable {
        let model: String?
        let pre: String?
        let vocabulary: Int?
        let merges: Int?
    }

    struct Key: Encodable {
        let name: String
        let type: String
        let value: String
    }

    struct Tensor: Encodable {
        let name: String
        let type: String
        let shape: [Int]
        let bytes: Int
        let offset: Int
        let file: Int
    }

    init(_ summary: GGUFSummary, _ use: CompanionUse?, includesTensors: Bool, includesKeys: Bool) {
        path = summary.path
        bytes = summary.byteCount
        files = summary.partCount
        version = summary.version
        alignment = summary.alignment
        architecture = summary.architecture
        type = summary.type
        adapter = summary.adapter.map {
            Adapter(type: $0.type, alpha: $0.alpha, ranks: $0.ranks, tensors: $0.tensorCount)
        }
        projector = summary.projector.map {
            Projector(
                type: $0.kind, reads_pictures: $0.hasVision, reads_sound: $0.hasAudio,
                generates_sound: $0.hasGenerator, picture_type: $0.hasVision ? $0.visionKind : nil,
                sound_type: $0.hasAudio ? $0.audioKind : nil,
                generator_type: $0.hasGenerator ? $0.generatorKind : nil, patch_size: $0.patchSize,
                image_size: $0.imageSize, downsampling: $0.downsampling, vector_length: $0.outputLength,
                bands: $0.bandCount, pictures: use?.tiling?.summary, max_picture_tokens: use?.tiling?.maxImageTokens,
                problem: use?.problem)
        }
        audio_decoder = summary.speechDecoder.map {
            AudioDecoder(
                vector_length: $0.inputLength, codebooks: $0.codebookCount, codes: $0.codeCount,
                code_layers: $0.codeLayerCount, code_length: $0.codeLength, sound_layers: $0.audioLayerCount,
                sound_length: $0.audioLength, sample_rate: GGUFSpeechDecoder.sampleRate,
                problem: summary.projector == nil ? use?.problem : use?.speechProblem)
        }
        name = summary.name
        license = summary.license
        quantization = summary.fileType
        parameters = summary.parameterCount
        types = summary.types.map {
            Share(type: "\($0.type)", tensors: $0.tensorCount, elements: $0.elementCount, bytes: $0.byteCount)
        }
        context_length = summary.contextLength
        layers = summary.layerCount
        draft_layers = summary.draftLayerCount
        embedding_length = summary.embeddingLength
        feed_forward_lengths = summary.feedForwardLengths
        heads = summary.headCounts
        kv_heads = summary.keyValueHeadCounts
        experts = summary.expertCount
        experts_used = summary.expertUsedCount
        tokenizer = Tokenizer(
            model: summary.tokenizerModel, pre: summary.tokenizerPre, vocabulary: summary.vocabularySize,
            merges: summary.mergeCount)
        chat_template_bytes = summary.chatTemplateByteCount
        chat_template_names = summary.chatTemplateNames
        decision_type = summary.decisionType
        warnings = summary.warnings
        metadata_keys = summary.metadata.map(\.key)
        keys = includesKeys ? summary.keyLines.map { Key(name: $0.key, type: $0.type, value: $0.value) } : nil
        tensors =
            includesTensors
            ? summary.tensors.map {
                Tensor(
                    name: $0.name, type: "\($0.type)", shape: $0.shape, bytes: $0.byteCount, offset: $0.fileOffset,
                    file: $0.part)
            } : nil
    }
}
