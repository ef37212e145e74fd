import LeapJSON

/// The manifest inside of a bundle.
struct BundleManifest {
    let name: String
    let inferenceType: String?
    let model: String?
    let multimodalProjector: String?
    let audioDecoder: String?
    let audioTokenizer: String?
    let chatTemplate: String?
    let generationTimeParameters: GenerationTimeParameters?

    /// Reads a manifest; nil if the text is not one.
    ///
    /// File names are relative to the manifest's own folder.
    init?(_ bytes: [UInt8], name: String) {
        guard let root = try? JSONParser.parse(bytes).object, let load = root["load_time_parameters"]?.object else {
            return nil
        }
        self.name = name
        let folder = name.split(separator: "/").dropLast().joined(separator: "/")
        func file(_ member: String) -> String? {
            guard var file = load[member]?.string, !file.isEmpty else { return nil }
            while file.hasPrefix("./") { file.removeFirst(2) }
            return folder.isEmpty ? file : "\(folder)/\(file)"
        }
        inferenceType = root["inference_type"]?.string
        model = file("model")
        multimodalProjector = file("multimodal_projector")
        audioDecoder = file("audio_decoder")
        audioTokenizer = file("audio_tokenizer")
        chatTemplate = load["chat_template"]?.string
        guard let parameters = root["generation_time_parameters"]?.object else {
            generationTimeParameters = nil
            return
        }
        let sampling = parameters["sampling_parameters"]?.object
        generationTimeParameters = GenerationTimeParameters(
            samplingParameters: sampling.map { object in SamplingParameters { object[$0]?.double } },
            numberOfDecodingThreads: parameters["number_of_decoding_threads"]?.integer)
    }

    /// The companions that the manifest names, by the member that names them.
    var companions: [(member: String, name: String)] {
        [
            ("multimodal_projector", multimodalProjector), ("audio_decoder", audioDecoder),
            ("audio_tokenizer", audioTokenizer),
        ]
        .compactMap { member, name in name.map { (member, $0) } }
    }

    /// The program that an ExecuTorch manifest names.
    var executorchProgram: String? {
        guard inferenceType?.lowercased().contains("executorch") == true else { return nil }
        return model ?? name
    }
}
