extension DecoderParts {
    /// A layer's mixture of experts, whose router scores all experts by softmax and divides the weights of the chosen
    /// ones by their sum.
    ///
    /// Gates and lifts of the experts are two tensors, or one with each expert's gate rows first.
    func softmaxMixture(layer: Int) throws -> MixtureFeedForward {
        let experts = try reader.int("expert_count", in: 1...4096)
        let used = try reader.int("expert_used_count", in: 1...experts)
        let inner = try reader.int("expert_feed_forward_length", in: CommonHyperparameters.lengthRange)
        let prefix = prefix(layer)
        let width = common.embedding
        let gates: [Matrix]
        let ups: [Matrix]
        if binder.has(prefix + "ffn_gate_up_exps.weight") {
            let fused = try binder.stack(prefix + "ffn_gate_up_exps", count: experts, rows: 2 * inner, columns: width)
            gates = fused.map { $0.rows(0..<inner) }
            ups = fused.map { $0.rows(inner..<2 * inner) }
        } else {
            gates = try binder.stack(prefix + "ffn_gate_exps", count: experts, rows: inner, columns: width)
            ups = try binder.stack(prefix + "ffn_up_exps", count: experts, rows: inner, columns: width)
        }
        return MixtureFeedForward(
            router: Router(
                matrix: try binder.matrix(prefix + "ffn_gate_inp", rows: experts, columns: width), score: .softmax,
                used: used, normalization: 0),
            gates: gates, ups: ups,
            downs: try binder.stack(prefix + "ffn_down_exps", count: experts, rows: width, columns: inner))
    }

    /// Refuses what would make a mixture another one than ``softmaxMixture(layer:)``.
    func refuseOtherMixtures() throws {
        let softmax = 1
        let gating = try reader.optionalInt("expert_gating_func", in: 0...1000) ?? softmax
        // 0 is what writers without a name for it put there.
        try refuse("expert_gating_func", "\(gating)", unless: gating == softmax || gating == 0, "1 (softmax)")
        let isNormed = try reader.optionalBool("expert_weights_norm") ?? true
        try refuse("expert_weights_norm", "\(isNormed)", unless: isNormed, "true")
        let scale = try reader.optionalFloat("expert_weights_scale", in: 0...1e6) ?? 1
        try refuse("expert_weights_scale", "\(scale)", unless: scale == 1 || scale == 0, "1")
        let groups = try reader.optionalInt("expert_group_count", in: 0...65536) ?? 0
        try refuse("expert_group_count", "\(groups)", unless: groups <= 1, "1")
        for layer in 0..<common.layers { try refuseOtherMixtures(layer: layer) }
    }

    /// Refuses tensors that would make a layer's mixture another one than ``softmaxMixture(layer:)``.
    func refuseOtherMixtures(layer: Int) throws {
        for part in ["gate_inp.bias", "gate_exps.bias", "up_exps.bias", "gate_up_exps.bias", "down_exps.bias"] {
            try refuseTensor("\(prefix(layer))ffn_\(part)")
        }
        for part in ["gate", "up", "gate_up", "down"] { try refuseTensor("\(prefix(layer))ffn_\(part)_exps.scale") }
        try refuseTensor("\(prefix(layer))exp_probs_b.bias")
    }

    /// Refuses a value of the metadata that is computed with in no other way than one.
    func refuse(_ name: String, _ found: String, unless isKnown: Bool, _ expected: String) throws {
        guard !isKnown else { return }
        throw EngineError(
            .unsupportedArchitecture,
            "\(reader.key(name)) is \(found): models of the architecture \(reader.architecture) are supported only with \(expected)",
            field: reader.key(name))
    }

    /// Refuses a file with a tensor that would change the results and is not computed with.
    func refuseTensor(_ name: String) throws {
        guard binder.has(name) else { return }
        throw EngineError(
            .unsupportedArchitecture,
            "the file has a tensor \(name): it is not supported for models of the architecture \(reader.architecture)",
            field: name)
    }
}
