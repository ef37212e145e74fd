package import Foundation
package import LeapGGUF

/// A decision model that is made of another model's file: its weights, and the keys of decisions.
package enum DecisionModelFile {
    /// A template with the state first, as label types have them.
    package static let template =
        "<|im_start|>user\n{% if state is not none %}{{ state if state is string else state | tojson }}\n{% endif %}"
        + "{{ type }}: {{ instructions if instructions is string else instructions | tojson }}\n"
        + "{% for option in options %}{{ option.label }} {{ option.key }}{% if option.description %}: "
        + "{{ option.description }}{% endif %}\n{% endfor %}<|im_end|>\n<|im_start|>assistant\n"

    /// Writes the file into a folder for temporary files.
    ///
    /// - Parameters:
    ///   - source: the path of the model's file.
    ///   - type: the value of `A.decision.type`.
    ///   - keys: further keys, below `A.decision.`.
    ///   - template: the prompts' template; nil leaves it out.
    package static func write(
        _ source: String, type: String, keys: [String: GGUFValue] = [:], template: String? = template
    ) throws -> URL {
        let file = try GGUFFile.open(path: source)
        let architecture = try file.metadata.string("general.architecture") ?? ""
        var writer = GGUFWriter(copyingMetadataOf: file)
        writer.set("\(architecture).decision.type", .string(GGUFString(type)))
        for (key, value) in keys.sorted(by: { $0.key < $1.key }) {
            writer.set("\(architecture).decision.\(key)", value)
        }
        if let template { writer.set("tokenizer.chat_template.systemone", .string(GGUFString(template))) }
        for tensor in file.tensors { try writer.add(tensor) }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        try writer.write(to: url.path)
        return url
    }
}
