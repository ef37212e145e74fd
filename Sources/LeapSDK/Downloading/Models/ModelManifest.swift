import Foundation
import LeapJSON
import LeapModel
import LeapTransfers

/// A manifest: the description of a model and the URLs of its files.
public struct ModelManifest: Sendable, Hashable {
    /// The files of a model, and its chat template.
    public struct LoadTimeParameters: Sendable, Hashable, Codable {
        /// The model: a URL, or a path relative to the manifest.
        public var model: String
        /// A chat template that replaces the model's own.
        public var chatTemplate: String?
        /// The URL or path of the vision or audio encoder; nil if there is none.
        public var multimodalProjector: String?
        /// The URL or path of the audio decoder; nil if there is none.
        public var audioDecoder: String?
        /// The URL or path of the audio tokenizer; nil if there is none.
        public var audioTokenizer: String?

        enum CodingKeys: String, CodingKey {
            case model
            case chatTemplate = "chat_template"
            case multimodalProjector = "multimodal_projector"
            case audioDecoder = "audio_decoder"
            case audioTokenizer = "audio_tokenizer"
        }
    }

    /// The version of the manifest's format, `1.x`.
    public var schemaVersion: String {
        get { document.schemaVersion }
        set { document.members["schema_version"] = .string(newValue) }
    }
    /// The task of the model and the engine for it, such as `llama.cpp/text-to-text`.
    public var inferenceType: String {
        get { document.inferenceType }
        set { document.members["inference_type"] = .string(newValue) }
    }
    /// The files of the model.
    public var loadTimeParameters: LoadTimeParameters {
        get {
            LoadTimeParameters(
                model: document.file(.model) ?? "", chatTemplate: document.chatTemplate,
                multimodalProjector: document.file(.multimodalProjector), audioDecoder: document.file(.audioDecoder),
                audioTokenizer: document.file(.audioTokenizer))
        }
        set {
            let old = loadTimeParameters
            var load = Members(document.members["load_time_parameters"])
            load.set("model", newValue.model, instead: old.model)
            load.set("chat_template", newValue.chatTemplate, instead: old.chatTemplate)
            load.set("multimodal_projector", newValue.multimodalProjector, instead: old.multimodalProjector)
            load.set("audio_decoder", newValue.audioDecoder, instead: old.audioDecoder)
            load.set("audio_tokenizer", newValue.audioTokenizer, instead: old.audioTokenizer)
            document.members["load_time_parameters"] = .object(load.members)
        }
    }
    /// Values that the model was tuned for.
    public var generationTimeParameters: GenerationTimeParameters? {
        get { Self.generation(document.members["generation_time_parameters"]) }
        set { setGeneration(newValue) }
    }
    /// The URL that the manifest came from.
    public var originalUrl: String? {
        get { document.originalURL }
        set { document.members["original_url"] = newValue.map { .string($0) } }
    }
    /// The path of the manifest on this device.
    public var pathOnDisk: String? {
        get { document.members["path_on_disk"]?.string }
        set { document.members["path_on_disk"] = newValue.map { .string($0) } }
    }

    /// Everything that the manifest says; the properties are views of it, so that what is set is what ``json()``
    /// writes.
    package private(set) var document: ManifestDocument
}

/// The files of a model as its manifest names them.
public typealias LoadTimeParameters = ModelManifest.LoadTimeParameters

/// The other name of ``ModelManifest``.
public typealias Manifest = ModelManifest

extension ModelManifest {
    /// Reads the JSON text of a manifest and keeps unknown members.
    ///
    /// - Throws: ``LeapModelLoadingException`` that says what is wrong with it.
    public init(json: Data) throws {
        self = try LeapModelLoadingException.mapping {
            ModelManifest(try ManifestDocument(Array(json), place: "the manifest"))
        }
    }

    /// Returns the JSON text, with unknown members.
    public func json() throws -> Data { Data(document.encoded()) }

    package init(_ document: ManifestDocument) {
        self.document = document
    }

    private mutating func setGeneration(_ new: GenerationTimeParameters?) {
        let key = "generation_time_parameters"
        guard let new else {
            document.members[key] = nil
            return
        }
        let old = generationTimeParameters
        var generation = Members(document.members[key])
        generation.set(
            "number_of_decoding_threads", new.numberOfDecodingThreads, instead: old?.numberOfDecodingThreads)
        if let values = new.samplingParameters {
            let before = Dictionary(
                uniqueKeysWithValues: old?.samplingParameters?.values.manifest.map { ($0, $1) } ?? [])
            let after = Dictionary(uniqueKeysWithValues: values.values.manifest.map { ($0, $1) })
            var sampling = Members(generation.members["sampling_parameters"])
            for key in Set(before.keys).union(after.keys).sorted() {
                sampling.set(key, after[key], instead: before[key])
            }
            generation.members["sampling_parameters"] = .object(sampling.members)
        } else {
            generation.members["sampling_parameters"] = nil
        }
        document.members[key] = .object(generation.members)
    }

    private static func generation(_ value: JSONValue?) -> GenerationTimeParameters? {
        guard let value = value?.object else { return nil }
        var result = GenerationTimeParameters()
        result.numberOfDecodingThreads = value["number_of_decoding_threads"]?.integer.flatMap {
            $0 > 0 ? $0 : nil
        }
        if let sampling = value["sampling_parameters"]?.object {
            result.samplingParameters = SamplingParameters { sampling[$0]?.double }
        }
        return result
    }
}

/// The members of an object, of which only those that change are written: the others keep the spelling they came in.
private struct Members {
    var members: JSONObject

    init(_ value: JSONValue?) { members = value?.object ?? [:] }

    mutating func set(_ key: String, _ new: String?, instead old: String?) {
        if new != old { members[key] = new.map { .string($0) } }
    }

    mutating func set(_ key: String, _ new: Int?, instead old: Int?) {
        if new != old { members[key] = new.map { .integer(Int64(clamping: $0)) } }
    }

    mutating func set(_ key: String, _ new: Double?, instead old: Double?) {
        if new != old { members[key] = new.map { .double($0) } }
    }
}
