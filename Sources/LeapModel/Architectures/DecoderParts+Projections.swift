import LeapGGUF

/// Reads the projections between the vector of a text and the one that a model gives out.
extension DecoderParts {
    /// The projections of vectors that stand for texts, where the file has them.
    func projections() throws -> [Matrix] {
        var projections: [Matrix] = []
        var length = common.embedding
        for name in ["dense_2", "dense_3"] {
            guard binder.has("\(name).weight") else {
                try refuseLengths(of: name)
                continue
            }
            let rows = binder.rowCount("\(name).weight")
            let projection = try binder.matrix(name, rows: rows, columns: length, bias: true)
            try check("\(name)_feat_in", is: length)
            try check("\(name)_feat_out", is: rows)
            projections.append(projection)
            length = rows
        }
        if !projections.isEmpty { try check("embedding_length_out", is: length) }
        return projections
    }

    /// Vectors that a file means to be projected are others than those that it would give.
    private func refuseLengths(of name: String) throws {
        guard reader.metadata[reader.key("\(name)_feat_out")] != nil else { return }
        throw EngineError(
            .missingTensor,
            "tensor \(name).weight is missing, but \(reader.key("\(name)_feat_out")) is set: the model would compute wrong vectors",
            field: "\(name).weight")
    }

    private func check(_ key: String, is length: Int) throws {
        guard let given = try reader.optionalInt(key, in: CommonHyperparameters.lengthRange), given != length else {
            return
        }
        throw EngineError(
            .invalidMetadata, "\(reader.key(key)) is \(given) but the tensor has \(length)", field: reader.key(key))
    }
}
