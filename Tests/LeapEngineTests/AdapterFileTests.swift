import LeapGGUF
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Files that are no adapter of a model, and what is said about them.
@Suite(.inTurns)
struct AdapterFileTests {
    private static func floats(_ shape: [Int]) -> [Float] {
        [Float](repeating: 0.1, count: shape.reduce(1, *))
    }

    /// Loads an adapter of `attn_q` and `ffn_down` with changes, and gives what is wrong with it.
    private func failure(
        _ name: String = "llama", tensors: [String] = ["blk.0.attn_q.weight"],
        _ change: (inout GGUFWriter) throws -> Void
    ) throws -> EngineError? {
        let model = try Fixture.model(name)
        let file = try AdapterFixture(model, tensors).file(change)
        do {
            _ = try Adapter.load(file: file, for: model)
            return nil
        } catch { return error as? EngineError ?? EngineError(.busy, "\(error)") }
    }

    /// A file with tensors of these shapes and nothing else.
    private func failure(shapes name: String = "llama", _ shapes: [(String, [Int])]) throws -> EngineError? {
        try failure(name, tensors: []) { writer in
            for (name, shape) in shapes { try writer.add(tensor: name, shape: shape, floats: Self.floats(shape)) }
        }
    }

    @Test("Metadata of another kind of file is named")
    func metadata() throws {
        #expect(try failure { _ in } == nil)
        let cases: [(key: String, value: GGUFValue, words: [String])] = [
            ("general.type", "model", ["general.type is \"model\"", "not an adapter"]),
            ("general.type", "mmproj", ["\"mmproj\""]),
            ("adapter.type", "ia3", ["adapter.type is \"ia3\"", "only \"lora\""]),
            ("general.architecture", "qwen3", ["\"qwen3\"", "is llama"]),
            ("adapter.lora.alpha", .float32(.nan), ["adapter.lora.alpha is nan"]),
            ("adapter.lora.alpha", .float32(.infinity), ["adapter.lora.alpha is inf"]),
            ("adapter.lora.alpha", .float32(-16), ["adapter.lora.alpha is -16"]),
            ("adapter.alora.invocation_tokens", .array(GGUFArray([1, 2] as [Int32])), ["activated LoRA"]),
        ]
        for (key, value, words) in cases {
            let error = try #require(try failure { $0.set(key, value) }, "\(key)")
            #expect(error.code == .invalidAdapter && error.field == key)
            for word in words + ["adapter.gguf"] { #expect(error.message.contains(word), "\(error.message)") }
        }
        #expect(try failure { $0.set("adapter.lora.alpha", "much") } != nil)
        let model = try Fixture.model("llama")
        let itself = #expect(throws: EngineError.self) { try Adapter.load(path: model.file.path, for: model) }
        #expect(
            itself?.message.contains("general.type is missing") == true || itself?.message.contains("\"model\"") == true
        )
        #expect(throws: GGUFError.self) { try Adapter.load(path: "/no/such/adapter.gguf", for: model) }
    }

    @Test("An alpha of 0 counts as none")
    func noAlpha() throws {
        let model = try Fixture.model("llama")
        var fixture = AdapterFixture(model, ["blk.0.attn_q.weight"])
        fixture.alpha = 0
        #expect(try fixture.adapter(for: model).alpha == nil)
    }

    @Test("Tensors that do not fit the model or each other are named, with both shapes")
    func tensors() throws {
        // blk.0.attn_q.weight is 64 to 64, attn_k 64 to 32.
        let model = try Fixture.model("llama")
        let q = try #require(model.file.tensor("blk.0.attn_q.weight")?.shape)
        let (a, b) = ("blk.0.attn_q.weight.lora_a", "blk.0.attn_q.weight.lora_b")
        let cases: [(shapes: [(String, [Int])], words: [String])] = [
            ([], ["no tensors"]),
            ([(a, [q[0], 4])], [b, "is missing"]),
            ([(b, [4, q[1]])], [a, "is missing"]),
            ([(a, [q[0], 4]), (b, [8, q[1]])], ["ranks of 4 and 8", a]),
            ([(a, [q[0] + 32, 4]), (b, [4, q[1]])], ["do not fit", "[\(q[0] + 32), 4]", "[\(q[0]), \(q[1])]"]),
            ([(a, [4, q[0]]), (b, [q[1], 4])], ["do not fit"]),
            ([(a, [q[0], 4, 2]), (b, [4, q[1], 2])], ["do not fit"]),
            ([(a, [q[0], 4, 1, 2]), (b, [4, q[1]])], ["more than 3 dimensions"]),
            ([(a, [q[0], 999]), (b, [999, q[1]])], ["rank of 999"]),
            (
                [("blk.99.attn_q.weight.lora_a", [q[0], 4]), ("blk.99.attn_q.weight.lora_b", [4, q[1]])],
                ["no tensor blk.99.attn_q.weight", "another model"]
            ),
            (
                [("blk.0.attn_norm.weight.lora_a", [64, 1]), ("blk.0.attn_norm.weight.lora_b", [1, 1])],
                ["blk.0.attn_norm.weight", "an adapter cannot change it"]
            ),
            (
                [(a, [q[0], 4]), (b, [4, q[1]]), ("blk.0.attn_norm.weight", [64])], ["blk.0.attn_norm.weight", "merge"]
            ),
            ([(a, [q[0], 4]), (b, [4, q[1]]), ("blk.0.attn_q.weight.lora_magnitude", [64])], ["lora_magnitude"]),
        ]
        for (shapes, words) in cases {
            let error = try #require(try failure(shapes: "llama", shapes), "\(shapes)")
            #expect(error.code == .invalidAdapter)
            for word in words + ["adapter.gguf"] { #expect(error.message.contains(word), "\(error.message)") }
        }
        // Names of control characters are shown as such.
        let odd = try failure(shapes: "llama", [("x\u{1B}[31m.lora_a", [4, 4]), ("x\u{1B}[31m.lora_b", [4, 4])])
        #expect(odd?.message.contains("\u{1B}") == false)
    }

    @Test("The tables of tokens and the filters of convolutions are judged by what they are")
    func otherTensors() throws {
        let model = try Fixture.model("lfm2")
        let table = try #require(model.file.tensor("token_embd.weight")?.shape)
        // As a matrix of the output head, not as a table.
        let turned = try failure(
            shapes: "lfm2",
            [("token_embd.weight.lora_a", [table[0], 4]), ("token_embd.weight.lora_b", [4, table[1]])])
        #expect(turned?.message.contains("do not fit token_embd.weight") == true)
        let name = try #require(model.file.tensors.first { $0.name.hasSuffix("shortconv.conv.weight") })
        let filters = try failure(
            shapes: "lfm2",
            [("\(name.name).lora_a", [name.shape[0], 1]), ("\(name.name).lora_b", [1, name.shape[1]])])
        #expect(filters?.message.contains("an adapter cannot change it") == true)
    }

    @Test("Factors that are no numbers are refused")
    func scales() throws {
        let model = try Fixture.model("llama")
        var fixture = AdapterFixture(model, ["blk.0.attn_q.weight"])
        fixture.alpha = 1e30
        let adapter = try fixture.adapter(for: model)
        for scale in [Float.nan, .infinity, 1e30] {
            let error = #expect(throws: EngineError.self) { try AdapterSet([(adapter, scale)]) }
            #expect(error?.code == .invalidOption && error?.field == "adapters")
        }
    }

    @Test("An adapter in the place of a model is said to be one")
    func asModel() throws {
        let model = try Fixture.model("llama")
        let file = try AdapterFixture(model, ["blk.0.attn_q.weight"]).file()
        let error = #expect(throws: EngineError.self) { try Model.load(file: file) }
        #expect(error?.code == .unsupportedArchitecture && error?.message.contains("is an adapter for llama") == true)
    }

    @Test("Files with any byte changed are loaded or refused, and never more")
    func damaged() throws {
        let model = try Fixture.model("llama")
        var writer = try AdapterFixture(model, []).header()
        let fixture = AdapterFixture(model, ["blk.0.attn_k.weight", "token_embd.weight"]) { $0.rank = 1 }
        for name in fixture.names {
            let (down, up) = try fixture.halves(name)
            for half in [down, up] {
                try writer.add(tensor: half.name, type: half.type, shape: half.shape, bytes: half.bytes)
            }
        }
        let bytes = try writer.bytes()
        let headerLength = 600
        var (loaded, refused) = (0, 0)
        for index in 0..<min(headerLength, bytes.count) {
            for flip in [UInt8(0x01), 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= flip
                do {
                    _ = try Adapter.load(file: try GGUFFile.parse(bytes: changed, name: "adapter.gguf"), for: model)
                    loaded += 1
                } catch {
                    #expect(error is EngineError || error is GGUFError, "\(error)")
                    refused += 1
                }
            }
        }
        #expect(refused > loaded && loaded > 0)
    }
}
