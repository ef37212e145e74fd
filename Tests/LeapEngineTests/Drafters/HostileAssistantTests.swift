import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapModel

/// Assistants that are damaged, of a kind that is not read, or of another model.
@Suite(.inTurns)
struct HostileAssistantTests {
    private static let prefix = "gemma4-assistant."

    private static let metadata: [(key: String, value: GGUFValue?)] = [
        ("embedding_length_out", nil), ("embedding_length_out", .uint32(0)), ("embedding_length_out", .uint32(.max)),
        ("nextn_predict_layers", nil), ("nextn_predict_layers", .uint32(2)), ("nextn_predict_layers", .uint32(0)),
        ("nextn_predict_layers", .string(GGUFString("3"))), ("block_count", nil), ("block_count", .uint32(.max)),
        ("attention.sliding_window", nil), ("attention.sliding_window", .uint32(0)),
        ("attention.sliding_window_pattern", nil),
        ("attention.sliding_window_pattern", .array(GGUFArray([true, false]))),
        ("attention.value_length_swa", .uint32(20)), ("attention.head_count", nil), ("expert_count", .uint32(4)),
        ("attention.head_count_kv", .uint32(3)), ("embedding_length_per_layer_input", .uint32(16)),
        ("hyper_connection.count", .uint32(4)), ("rope.dimension_count_swa", .uint32(3)),
        ("attention.layer_norm_rms_epsilon", nil), ("context_length", .uint32(0)),
    ]

    @Test("A key that is missing, out of range or not known is refused by its name")
    func keys() throws {
        for (name, value) in Self.metadata {
            let key = Self.prefix + name
            let error = #expect(throws: (any Error).self, "\(key) \(String(describing: value))") {
                try AssistantFixture.changed(metadata: { $0[key] = value })
            }
            let refusal = try #require(error.flatMap { Refusal($0) }, "\(key) \(String(describing: error))")
            #expect(refusal.message.contains(key), "\(key): \(refusal.message)")
        }
    }

    @Test("A tensor that is missing, of another shape or not known is refused by its name")
    func tensors() throws {
        let required = [
            "nextn.pre_projection.weight", "nextn.post_projection.weight", "output_norm.weight",
            "blk.0.attn_q.weight", "blk.1.attn_q_norm.weight", "blk.2.attn_output.weight", "blk.0.ffn_down.weight",
            "blk.1.post_attention_norm.weight", "blk.2.post_ffw_norm.weight", "token_embd.weight",
        ]
        for name in required {
            for shape in [nil, [8], [8, 448], [32, 32, 2]] as [[Int]?] {
                let error = #expect(throws: EngineError.self, "\(name) \(shape ?? [])") {
                    try AssistantFixture.changed(tensor: {
                        $0.name == name ? shape.map { .zeros($0) } ?? .drop : .keep
                    })
                }
                #expect(error?.field == name, "\(name) \(shape ?? []): \(error?.message ?? "")")
            }
        }
        for (name, shape) in [("blk.0.attn_k.weight", [32, 32]), ("blk.0.inp_gate.weight", [32, 8]), ("d2t", [32])] {
            let error = #expect(throws: EngineError.self, "\(name)") {
                try AssistantFixture.changed(
                    more: [(name, shape, [Float](repeating: 0, count: shape.reduce(1, *)))])
            }
            #expect(error?.code == .unsupportedArchitecture && error?.field == name)
        }
        let error = #expect(throws: EngineError.self) {
            try AssistantFixture.changed(more: [("blk.3.attn_norm.weight", [32], [Float](repeating: 0, count: 32))])
        }
        #expect(error?.code == .invalidTensor && error?.field == "blk.3.attn_norm.weight")
    }

    @Test("An assistant of another model is refused with both files and what differs")
    func otherModel() throws {
        func refusal(_ drafter: AssistantDrafter, _ model: Model) -> EngineError? {
            let error = #expect(throws: EngineError.self) { try drafter.validate(for: model) }
            #expect(error?.code == .incompatibleModels && error?.message.contains(drafter.file.path) == true)
            #expect(error?.message.contains(model.file.path) == true)
            return error
        }
        let drafter = try AssistantFixture.drafter()
        let target = try Fixture.model(AssistantFixture.target)
        try drafter.validate(for: target)
        #expect(refusal(drafter, try Fixture.model("gemma3"))?.field == "general.architecture")
        // Another length of vectors.
        let wide = try AssistantFixture.changed(
            metadata: { $0[Self.prefix + "embedding_length_out"] = .uint32(48) },
            tensor: {
                switch $0.name {
                case "nextn.pre_projection.weight": .zeros([96, 32])
                case "nextn.post_projection.weight": .zeros([32, 48])
                default: .keep
                }
            })
        #expect(refusal(wide, target)?.field == Self.prefix + "embedding_length_out")
        #expect(refusal(wide, target)?.message.contains("48") == true)
        // Heads of another length in layers with a window.
        let heads = try AssistantFixture.changed(
            metadata: {
                for key in ["attention.key_length_swa", "attention.value_length_swa", "rope.dimension_count_swa"] {
                    $0[Self.prefix + key] = .uint32(8)
                }
            },
            tensor: {
                guard $0.name.hasPrefix("blk.0.") || $0.name.hasPrefix("blk.1.") else { return .keep }
                if $0.name.hasSuffix("attn_q.weight") { return .zeros([32, 32]) }
                if $0.name.hasSuffix("attn_output.weight") { return .zeros([32, 32]) }
                return $0.name.hasSuffix("attn_q_norm.weight") ? .zeros([8]) : .keep
            })
        #expect(refusal(heads, target)?.field == Self.prefix + "attention.key_length_swa")
        // Queries that would turn otherwise than the keys.
        let turned = try AssistantFixture.changed(metadata: { $0[Self.prefix + "rope.freq_base"] = .float32(10_000) })
        #expect(refusal(turned, target)?.field == Self.prefix + "rope.freq_base")
        // More rows than the model makes logits.
        let rows = try AssistantFixture.changed(tensor: {
            $0.name == "token_embd.weight" ? .zeros([32, 450]) : .keep
        })
        #expect(refusal(rows, target)?.field == "token_embd.weight")
    }

    @Test("As a model, an assistant is refused with what to do")
    func asModel() throws {
        let error = #expect(throws: EngineError.self) { try Model.load(path: AssistantFixture.path) }
        #expect(error?.code == .unsupportedArchitecture && error?.message.contains("--draft-model") == true)
        #expect(error?.message.contains("gemma4-assistant") == true)
    }
}
