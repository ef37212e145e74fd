import LeapGGUF

/// The amount that is read of a model to compute a single token: the weights of all layers and of the output, experts
/// as far as they are used.
package struct ReadCost {
    package let bytes: Double
    package let weights: Double

    /// Returns how many times another model's cost this one is, by bytes or by weights, whichever makes it more.
    package func ratio(to other: ReadCost) -> Double {
        max(bytes / max(other.bytes, 1), weights / max(other.weights, 1))
    }
}

extension Model {
    /// The amount that is read to compute a single token.
    package var readCost: ReadCost {
        let experts = layers.stack.layers.lazy.compactMap { layer in
            layer.feedForward?.mixture.map { Double($0.router.used) / Double(max($0.count, 1)) }
        }.first
        let isTied = layers.embedding.table.place == layers.head?.matrix.place
        var (bytes, weights) = (0.0, 0.0)
        for tensor in file.tensors {
            if !isTied, tensor.name == "token_embd.weight" { continue }
            // Of this table too a token reads one row.
            if tensor.name == "per_layer_token_embd.weight" { continue }
            // A file may hold more layers than its metadata calls for.
            if let layer = Self.layer(of: tensor.name), layer >= layerCount { continue }
            let share = tensor.name.contains("_exps.") ? experts ?? 1 : 1
            bytes += share * Double(tensor.byteCount)
            weights += share * Double(tensor.elementCount)
        }
        return ReadCost(bytes: bytes, weights: weights)
    }

    /// The layer that a tensor is of, or nil.
    private static func layer(of tensor: String) -> Int? {
        let parts = tensor.split(separator: ".", maxSplits: 2)
        return parts.count > 1 && parts[0] == "blk" ? Int(parts[1]) : nil
    }
}
