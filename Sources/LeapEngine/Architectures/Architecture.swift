import LeapGGUF

/// A family of models: how its metadata and tensors become a ``Decoder``.
///
/// Adding one takes a file with a type like those beside this one, and a line in ``Architectures/all``.
protocol Architecture: Sendable {
    /// The name under which files declare it, in `general.architecture`.
    static var name: String { get }

    /// Builds the decoder; throws where a number or tensor is missing or does not fit.
    static func decoder(_ parts: DecoderParts) throws -> Decoder
}

/// The architectures this engine runs.
enum Architectures {
    /// All of them, by name.
    static let all: [String: any Architecture.Type] = Dictionary(
        uniqueKeysWithValues: ([
            LFM2.self, LFM2MoE.self, Llama.self, Qwen2.self, Qwen3.self, Gemma3.self, Granite.self, SmolLM3.self,
            Phi3.self, BERT.self,
        ] as [any Architecture.Type]).map { ($0.name, $0) })

    /// Builds the decoder of a file.
    static func decoder(of file: GGUFFile) throws -> (architecture: String, parts: DecoderParts, decoder: Decoder) {
        guard let name = try file.metadata.string("general.architecture") else {
            throw EngineError(
                .invalidMetadata, "general.architecture is missing: the file is not a language model",
                field: "general.architecture")
        }
        guard try file.metadata.string("general.type") != "adapter" else {
            throw EngineError(
                .unsupportedArchitecture,
                "the file is an adapter for \(name) models (general.type is \"adapter\"), not a model: load the model it was trained for, with this file under \"adapters\" in the extras of the loading options, or with --adapter",
                field: "general.type")
        }
        guard let architecture = all[name] else {
            throw EngineError(
                .unsupportedArchitecture,
                "the architecture \"\(name)\" is not supported: this version runs \(all.keys.sorted().joined(separator: ", "))",
                field: "general.architecture")
        }
        guard file.tensor("token_embd.weight") != nil else {
            throw EngineError(
                .missingTensor,
                file.tensors.isEmpty
                    ? "the file holds a vocabulary only, no weights: use the full model file"
                    : "tensor token_embd.weight is missing: the file is incomplete or not a language model",
                field: "token_embd.weight")
        }
        let parts = try DecoderParts(file: file, architecture: name)
        return (name, parts, try architecture.decoder(parts))
    }
}
