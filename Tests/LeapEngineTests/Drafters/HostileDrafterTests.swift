import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapModel

/// Drafters that are damaged, of a kind that is not read, or of another model.
@Suite(.inTurns)
struct HostileDrafterTests {
    private static func list(_ numbers: Int32...) -> GGUFValue { .array(GGUFArray(numbers)) }

    private static let metadata: [(key: String, value: GGUFValue?, named: String?)] = [
        ("dflash.target_layers", nil, nil), ("dflash.target_layers", list(), nil),
        ("dflash.target_layers", list(0, 3), nil), ("dflash.target_layers", list(-1, 3), nil),
        ("dflash.target_layers", list(3, 1), nil), ("dflash.target_layers", list(1, 1), nil),
        ("dflash.target_layers", list(1, 4097), nil), ("dflash.target_layers", list(1, 3), "fc.weight"),
        ("dflash.target_layers", .uint32(3), nil),
        ("dflash.target_layers", .array(GGUFArray((1...4000).map { Int32($0) })), nil),
        ("dflash.block_size", nil, nil), ("dflash.block_size", .uint32(1), nil),
        ("dflash.block_size", .uint32(.max), nil), ("dflash.block_size", .string(GGUFString("5")), nil),
        ("dflash.attention.sliding_window", .uint32(16), nil), ("dflash.attention.causal", .bool(true), nil),
        ("dflash.rope.dimension_sections", list(6, 3, 3, 0), nil), ("dflash.markov_rank", .uint32(9), nil),
        ("dflash.expert_count", .uint32(4), nil),
        ("dflash.hyper_connection.count", .uint32(4), nil), ("dflash.conv_kernel_size", .uint32(3), nil),
        ("dflash.final_logit_softcapping", .float32(30), nil),
        ("dflash.block_count", .uint32(3), "blk.2."), ("dflash.block_count", .uint32(1), "blk.1."),
        ("dflash.embedding_length", .uint32(32), nil), ("dflash.context_length", .uint32(0), nil),
        ("tokenizer.ggml.mask_token_id", nil, nil), ("tokenizer.ggml.mask_token_id", .uint32(512), nil),
        ("dflash.attention.key_length", .uint32(20), "dflash.attention.value_length"),
    ]

    @Test(
        "A key that is missing, out of range or not known is refused by its name, or by that of the tensor which does not fit it"
    )
    func keys() throws {
        for (key, value, named) in Self.metadata {
            let error = #expect(throws: (any Error).self, "\(key) \(String(describing: value))") {
                try ModelCopy.open(
                    DrafterFixture.path("dspark"), changeMetadata: { $0[key] = value },
                    open: { try BlockDrafter.load(path: $0) })
            }
            let refusal = try #require(error.flatMap { Refusal($0) }, "\(key) \(String(describing: error))")
            // Lengths are told by the first tensor that does not have them.
            let isLength = key.hasSuffix("_length") && refusal.field?.hasSuffix(".weight") == true
            #expect(isLength || refusal.message.contains(named ?? key), "\(key): \(refusal.message)")
        }
    }

    @Test("A tensor that is missing, of another shape or not known is refused by its name")
    func tensors() throws {
        let required = [
            "fc.weight", "enc.output_norm.weight", "output_norm.weight", "markov_w1.weight", "markov_w2.weight",
            "blk.1.attn_q_norm.weight", "blk.0.attn_k_norm.weight", "blk.0.attn_q.weight", "blk.1.ffn_down.weight",
        ]
        for name in required {
            for shape in [nil, [16], [16, 512], [64, 64, 2]] as [[Int]?] {
                let error = #expect(throws: EngineError.self, "\(name) \(shape ?? [])") {
                    try ModelCopy.open(
                        DrafterFixture.path("dspark"),
                        changeTensor: { $0.name == name ? shape.map { .zeros($0) } ?? .drop : .keep },
                        open: { try BlockDrafter.load(path: $0) })
                }
                // The rank is that of the first table, which the second then does not have.
                let isRank = name == "markov_w1.weight" && error?.field == "markov_w2.weight"
                #expect(error?.field == name || isRank, "\(name) \(shape ?? []): \(error?.message ?? "")")
            }
        }
        for (name, shape) in [
            ("d2t", [32]), ("selector_hidden.weight", [64, 8]), ("blk.0.attn_sinks.weight", [4]),
            ("hc_head_fn.weight", [64, 4]),
        ] {
            let error = #expect(throws: EngineError.self, "\(name)") {
                try ModelCopy.open(
                    DrafterFixture.path("dspark"),
                    more: [(name, shape, [Float](repeating: 0, count: shape.reduce(1, *)))],
                    open: { try BlockDrafter.load(path: $0) })
            }
            #expect(error?.code == .unsupportedArchitecture && error?.field == name)
        }
    }

    @Test("A drafter of another model is refused with both files and what differs")
    func otherModel() throws {
        let lfm2 = try Fixture.model("lfm2")
        func refusal(_ drafter: BlockDrafter, _ model: Model) -> EngineError? {
            let error = #expect(throws: EngineError.self) { try drafter.validate(for: model) }
            #expect(error?.code == .incompatibleModels && error?.message.contains(drafter.file.path) == true)
            #expect(error?.message.contains(model.file.path) == true)
            return error
        }
        let spark = try DrafterFixture.drafter("dspark")
        try spark.validate(for: lfm2)
        #expect(
            refusal(try DrafterFixture.drafter("dspark", layers: [1, 3, 6]), lfm2)?.field == "dflash.target_layers")
        let low = try DrafterFixture.drafter("dspark", layers: [1, 2, 3])
        #expect(refusal(low, try Fixture.model("qwen3"))?.field == "draftModel")
        #expect(refusal(spark, try Fixture.model("qwen3-odd-heads"))?.field == "dflash.embedding_length")
        // Tables with more rows than the model makes logits.
        let wide = try ModelCopy.open(
            DrafterFixture.path("dspark"),
            changeTensor: { $0.name.hasPrefix("markov") ? .zeros([8, 520]) : .keep },
            open: { try BlockDrafter.load(path: $0) })
        #expect(refusal(wide, lfm2)?.message.contains("520") == true)
        // Fewer than the vocabulary has tokens.
        let error = #expect(throws: EngineError.self) {
            try ModelCopy.open(
                DrafterFixture.path("dspark"),
                changeTensor: { $0.name.hasPrefix("markov") ? .zeros([8, 500]) : .keep },
                open: { try BlockDrafter.load(path: $0) })
        }
        #expect(error?.code == .invalidTensor && error?.field == "markov_w1.weight")
        // A model that writes no text.
        #expect(throws: EngineError.self) { try spark.validate(for: try Fixture.model("embeddings/lfm2-retrieval")) }
    }

    @Test("As a model, a drafter is refused with what to do")
    func asModel() throws {
        let error = #expect(throws: EngineError.self) { try Model.load(path: DrafterFixture.path("dspark")) }
        #expect(error?.code == .unsupportedArchitecture && error?.message.contains("--draft-model") == true)
    }
}
