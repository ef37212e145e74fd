package import LeapGGUF

extension Model {
    /// Returns whether the model of a file writes text, by the file's header alone: as ``generatesText`` of the model
    /// once it is loaded.
    package static func generatesText(_ file: GGUFFile) -> Bool {
        guard let name = (try? file.metadata.string("general.architecture")) ?? nil else { return true }
        let causal = (try? file.metadata.bool("\(name).attention.causal")) ?? nil
        return (causal ?? !(Architectures.all[name]?.isEncoder ?? false)) && file.tensor("dense_2.weight") == nil
            && !hasClassifier(file, architecture: name)
    }

    /// Returns whether the model of a file makes scores of texts and nothing else, by the file's header alone.
    package static func classifiesOnly(_ file: GGUFFile) -> Bool {
        guard let name = (try? file.metadata.string("general.architecture")) ?? nil else { return false }
        return hasClassifier(file, architecture: name)
    }

    /// Returns whether the model of a file was trained to answer typed questions, by the file's header alone.
    package static func answersQuestions(_ file: GGUFFile) -> Bool {
        guard let name = (try? file.metadata.string("general.architecture")) ?? nil else { return false }
        return file.metadata["\(name).decision.type"] != nil
    }

    /// Returns whether the model of a file answers questions about pictures or sounds with a projector, by the file's
    /// header alone.
    package static func answersAboutMedia(_ file: GGUFFile) -> Bool {
        guard let name = (try? file.metadata.string("general.architecture")) ?? nil,
            let type = (try? file.metadata.string("\(name).decision.type")) ?? nil
        else { return false }
        return DecisionModelType(rawValue: type)?.readsMedia == true
    }

    /// Returns whether a file has a chat template, by its header alone.
    package static func hasChatTemplate(_ file: GGUFFile) -> Bool { file.metadata["tokenizer.chat_template"] != nil }

    private static func hasClassifier(_ file: GGUFFile, architecture: String) -> Bool {
        let pooling = (try? file.metadata.uint("\(architecture).pooling_type")) ?? nil
        return pooling == UInt64(Pooling.rankType) && file.tensor("cls.output.weight") != nil
    }

    /// The length of the vectors that the model of a file computes with, by the file's header; nil where it does not
    /// say.
    package static func embeddingLength(_ file: GGUFFile) -> Int? {
        guard let name = (try? file.metadata.string("general.architecture")) ?? nil,
            let length = (try? file.metadata.uint("\(name).embedding_length")) ?? nil
        else { return nil }
        return Int(clamping: length)
    }
}
