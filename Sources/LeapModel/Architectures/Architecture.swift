import LeapBase
import LeapGGUF

/// A family of models: how its metadata and tensors become a ``LanguageModel``.
///
/// Adding one takes a file with a type like those next to this one, a line in ``Architectures/all``, and one that tells
/// people of it in ``SupportedArchitecture/all``.
protocol Architecture: Sendable {
    /// The name under which files declare it, in `general.architecture`.
    static var name: String { get }

    /// True if its models see a text as a whole and write none, unless a file says otherwise.
    static var isEncoder: Bool { get }
    /// Names under the architecture's own that change nothing of what is computed, and so need not be asked for: files
    /// with others that were not asked for are refused. One that ends with a dot stands for all that begin with it; nil
    /// lets all pass.
    static var harmlessKeys: [String]? { get }
    /// True if files with tensors that were not asked for are refused too.
    static var refusesOtherTensors: Bool { get }

    /// Describes the model; throws where a number or tensor is missing or does not fit.
    static func describe(_ parts: DecoderParts) throws -> LanguageModel

    /// Describes the layer of a block that predicts further tokens; nil where models of the architecture have none that
    /// this version runs.
    ///
    /// - Parameters:
    ///   - layer: the index of the block.
    ///   - cacheIndex: the place of its keys and values among those of a position.
    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer?
}

extension Architecture {
    static var isEncoder: Bool { false }
    static var harmlessKeys: [String]? { nil }
    static var refusesOtherTensors: Bool { false }
    static func draftLayer(_ parts: DecoderParts, layer: Int, cacheIndex: Int) throws -> DecoderLayer? { nil }
}

/// The architectures this engine runs.
enum Architectures {
    /// All of them, by name.
    static let all: [String: any Architecture.Type] = Dictionary(
        uniqueKeysWithValues: ([
            LFM2.self, LFM2MoE.self, LFM3.self, Llama.self, Qwen2.self, Qwen3.self, Qwen3MoE.self, Qwen35.self,
            Qwen35MoE.self, Qwen3Next.self, Qwen3VL.self, Qwen3VLMoE.self,
            Gemma3.self, Granite.self, GraniteHybrid.self, FalconH1.self, NemotronH.self, NemotronHMoE.self,
            MuseGlimmer.self, SmolLM3.self,
            Phi3.self, BERT.self, Mistral3.self, GPTOSS.self, Gemma3n.self, Gemma4.self,
            NomicBERT.self, NomicBERTMoE.self,
            ModernBERT.self,
            GemmaEmbedding.self,
        ] as [any Architecture.Type]).map { ($0.name, $0) })

    /// Describes the model of a file.
    static func describe(_ file: GGUFFile) throws -> (architecture: String, parts: DecoderParts, layers: LanguageModel)
    {
        let (name, architecture) = try declared(by: file)
        try checkWeights(of: file)
        let parts = try DecoderParts(file: file, architecture: name)
        let layers = try architecture.describe(parts)
        if let harmless = architecture.harmlessKeys {
            try parts.reader.refuseUnknown(except: harmless + HarmlessKeys.decisions)
            let blocks = parts.reader.key("block_count")
            try parts.binder.refuseLayers(
                from: try file.metadata.uint(blocks).map { Int(clamping: $0) } ?? 0, of: blocks)
        }
        if architecture.refusesOtherTensors { try parts.binder.refuseUnknown() }
        return (name, parts, layers)
    }

    /// The architecture that a file declares, which is to be one of a model.
    private static func declared(by file: GGUFFile) throws -> (name: String, architecture: any Architecture.Type) {
        guard let name = try file.metadata.string("general.architecture") else {
            throw EngineError(
                .invalidMetadata, "general.architecture is missing: the file is not a language model",
                field: "general.architecture")
        }
        guard try file.metadata.string("general.type") != "adapter" else {
            throw EngineError(
                .unsupportedArchitecture,
                "the file is an adapter for \(ShownText.of(name)) models (general.type is \"adapter\"), not a model: load the model it was trained for, with this file under \"adapters\" in the extras of the loading options, or with --adapter",
                field: "general.type")
        }
        guard ![DFlash.name, Gemma4Assistant.name].contains(name) else {
            throw EngineError(
                .unsupportedArchitecture,
                "the file is a drafter (\(name)), which only proposes tokens for another model: load that model, with this file as its draft model (\"draftModel\" under \"speculation\" in the extras of the loading options, or --draft-model)",
                field: "general.architecture")
        }
        guard !DraftLayerFile.isOne(file) else {
            throw EngineError(
                .unsupportedArchitecture,
                "the file holds only the layers of a \(ShownText.of(name)) model that predict further tokens, not the model: load that model, with this file as its draft model (\"draftModel\" under \"speculation\" in the extras of the loading options, or --draft-model)",
                field: "blk.0.attn_norm.weight")
        }
        guard let architecture = all[name] else {
            let nearest =
                SupportedArchitecture.nearest(to: name).map { "; the nearest is \($0.name) (\($0.models))" } ?? ""
            throw EngineError(
                .unsupportedArchitecture,
                "the architecture \"\(ShownText.of(name))\" is not supported: this version runs \(all.keys.sorted().joined(separator: ", "))\(nearest); “leap models” and docs/Models.md list the models",
                field: "general.architecture")
        }
        return (name, architecture)
    }

    /// Refuses a file without the tensor that every model has.
    private static func checkWeights(of file: GGUFFile) throws {
        guard file.tensor("token_embd.weight") != nil else {
            throw EngineError(
                .missingTensor,
                file.tensors.isEmpty
                    ? "the file holds a vocabulary only, no weights: use the full model file"
                    : "tensor token_embd.weight is missing: the file is incomplete or not a language model",
                field: "token_embd.weight")
        }
    }
}
