package import LeapGGUF
import LeapTokenizer

/// A file with nothing of a model but its block that predicts further tokens (`mtp-NAME.gguf`).
package final class DraftLayerFile: Sendable {
    /// The open file.
    package let file: GGUFFile

    /// Takes an open file for which ``isOne(_:)`` is true.
    package init(file: GGUFFile) { self.file = file }

    /// Returns whether a file is one of these, by its header: it has such a block and no first layer.
    package static func isOne(_ file: GGUFFile) -> Bool {
        guard let name = (try? file.metadata.string("general.architecture")) ?? nil,
            let count = (try? file.metadata.uint("\(name).\(DraftLayers.countKey)")) ?? nil, count > 0,
            let blocks = (try? file.metadata.uint("\(name).block_count")) ?? nil, blocks > count
        else { return false }
        return file.tensor("blk.0.attn_norm.weight") == nil
            && file.tensor("blk.\(blocks - count).nextn.eh_proj.weight") != nil
    }

    /// Describes the block beside its model.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels` where it is not that model's, or one that names the key
    ///   or tensor at fault.
    package func layers(for target: Model) throws -> DraftLayers {
        func refuse(_ what: String, _ field: String) -> EngineError {
            EngineError(
                .incompatibleModels,
                "the layers in \(file.path) are not for the model \(target.file.path): \(what); use the file that was made of this model",
                field: field)
        }
        guard target.generatesText else { throw EngineError.writesNoText }
        let name = try file.metadata.string("general.architecture") ?? ""
        guard name == target.architecture else {
            throw refuse("they are of the architecture \(name), the model is \(target.architecture)", "general.architecture")
        }
        let reader = HyperparameterReader(metadata: file.metadata, architecture: name)
        let common = try CommonHyperparameters(reader)
        guard common.embedding == target.embeddingLength else {
            throw refuse(
                "their vectors have \(common.embedding) elements, but the model's have \(target.embeddingLength)",
                reader.key("embedding_length"))
        }
        guard common.layers == target.layerCount else {
            throw refuse(
                "they follow \(common.layers) layers, but the model has \(target.layerCount)", reader.key("block_count"))
        }
        if file.metadata["tokenizer.ggml.tokens"] != nil {
            let tokenizer = try Tokenizer(metadata: file.metadata, fileStaysOpen: true)
            try tokenizer.checkVocabulary(of: file.path, matches: target)
        }
        guard let layers = try DraftLayers.read(file, for: target) else {
            throw refuse(
                "this version runs no such layers of the architecture \(name)", reader.key(DraftLayers.countKey))
        }
        return layers
    }
}
