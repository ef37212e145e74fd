package import Foundation
package import LeapGGUF

/// A masked language model that is made of a reranker's file: its dense layer and norm, in front of its own embeddings.
package enum MaskedModelFile {
    /// The mask's token and its name in the vocabulary of `modern-bert-rank`.
    package static let mask = (token: UInt32(3), name: "<|im_start|>")

    /// Writes the file into a folder for temporary files.
    ///
    /// - Parameters:
    ///   - source: the path of `modern-bert-rank.gguf`.
    ///   - changes: further changes of the metadata; nil removes a key.
    ///   - dropped: the tensors to leave out.
    package static func write(
        _ source: String, changing changes: [String: GGUFValue?] = [:],
        dropping dropped: Set<String> = ["cls.output.weight"]
    ) throws -> URL {
        let file = try GGUFFile.open(path: source)
        var metadata: [String: GGUFValue] = [:]
        for key in file.metadata.keys { metadata[key] = file.metadata[key] }
        metadata["modern-bert.pooling_type"] = .uint32(1)
        metadata["tokenizer.ggml.mask_token_id"] = .uint32(mask.token)
        for (key, value) in changes { metadata[key] = value }
        var writer = GGUFWriter()
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { writer.set(key, value) }
        for tensor in file.tensors where !dropped.contains(tensor.name) { try writer.add(tensor) }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        try writer.write(to: url.path)
        return url
    }
}
