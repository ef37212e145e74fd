import Foundation
import LeapTransfers

/// What a manifest says about a model.
public struct ModelManifest: Sendable, Hashable {
    /// The files of a model, and its template.
    public struct LoadTimeParameters: Sendable, Hashable {
        /// The model: an address, or a path relative to the manifest.
        public var model: String
        /// A chat template over the model's own.
        public var chatTemplate: String?
        /// The vision or audio encoder.
        public var multimodalProjector: String?
        /// The audio decoder.
        public var audioDecoder: String?
        /// The audio tokenizer.
        public var audioTokenizer: String?
    }

    /// The version of the manifest's format, `1.x`.
    public var schemaVersion: String
    /// What the model does and with which engine, such as `llama.cpp/text-to-text`.
    public var inferenceType: String
    /// The files of the model.
    public var loadTimeParameters: LoadTimeParameters
    /// Values the model was tuned for.
    public var generationTimeParameters: GenerationTimeParameters?
    /// Where the manifest came from.
    public var originalUrl: String?
    /// Where the manifest is on this device.
    public var pathOnDisk: String?

    package let document: ManifestDocument
}

/// The other name of ``ModelManifest``.
public typealias Manifest = ModelManifest

extension ModelManifest {
    /// Reads the JSON text of a manifest; what is not known is kept.
    ///
    /// - Throws: ``LeapModelLoadingException`` that says what is wrong with it.
    public init(json: Data) throws {
        self = try LeapModelLoadingException.mapping {
            ModelManifest(try ManifestDocument(Array(json), place: "the manifest"))
        }
    }

    /// The JSON text, unknown members included.
    public func json() throws -> Data { Data(try document.encoded()) }

    package init(_ document: ManifestDocument) {
        self.document = document
        schemaVersion = document.schemaVersion
        inferenceType = document.inferenceType
        loadTimeParameters = LoadTimeParameters(
            model: document.file(.model) ?? "", chatTemplate: document.chatTemplate,
            multimodalProjector: document.file(.multimodalProjector), audioDecoder: document.file(.audioDecoder),
            audioTokenizer: document.file(.audioTokenizer))
        generationTimeParameters = Self.generation(document.members["generation_time_parameters"])
        originalUrl = document.originalURL
        pathOnDisk = document.members["path_on_disk"]?.string
    }

    private static func generation(_ value: ManifestValue?) -> GenerationTimeParameters? {
        guard let value, value.isObject else { return nil }
        var result = GenerationTimeParameters()
        result.numberOfDecodingThreads = value["number_of_decoding_threads"]?.integer.flatMap {
            $0 > 0 ? Int(clamping: $0) : nil
        }
        if let sampling = value["sampling_parameters"], sampling.isObject {
            result.samplingParameters = SamplingParameters(
                temperature: sampling["temperature"]?.number, topP: sampling["top_p"]?.number,
                minP: sampling["min_p"]?.number,
                repetitionPenalty: sampling["repetition_penalty"]?.number,
                topK: sampling["top_k"]?.number.flatMap { Int(exactly: $0.rounded()) })
        }
        return result
    }
}
