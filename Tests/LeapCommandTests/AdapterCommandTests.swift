import Foundation
import LeapDemoModel
import LeapGGUF
import Testing

/// LoRA adapters on the command line.
@Suite(.ownThreads)
struct AdapterCommandTests {
    /// An adapter of the demo model that changes one matrix.
    private func adapter(_ folder: TemporaryFolder) throws -> String {
        let model = try GGUFFile.open(path: LeapDemoModel.url.path)
        let tensor = try #require(model.tensors.first { $0.name.hasSuffix("ffn_down.weight") })
        let (columns, rows) = (tensor.shape[0], tensor.shape[1])
        var writer = GGUFWriter()
        writer.set("general.architecture", "lfm2")
        writer.set("general.type", "adapter")
        writer.set("adapter.type", "lora")
        writer.set("adapter.lora.alpha", .float32(16))
        try writer.add(
            tensor: "\(tensor.name).lora_a", shape: [columns, 8],
            floats: (0..<columns * 8).map { Float($0 * 7919 % 13 - 6) / 20 })
        try writer.add(
            tensor: "\(tensor.name).lora_b", shape: [8, rows],
            floats: (0..<rows * 8).map { Float($0 * 104_729 % 11 - 5) / 20 })
        return try folder.file("style:1.gguf", Data(try writer.bytes()))
    }

    private func answer(_ arguments: String...) throws -> String {
        let outcome = try LeapProgram.run(
            ["run", "demo", "--prompt", "Tell me a story.", "--temperature", "0", "--max-tokens", "12"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("An adapter changes an answer by its scale, behind a colon; a scale of 0 leaves it")
    func run() throws {
        let folder = try TemporaryFolder()
        let path = try adapter(folder)
        let plain = try answer()
        #expect(try answer("--adapter", "\(path):0") == plain)
        let adapted = try answer("--adapter", path)
        #expect(adapted != plain)
        #expect(try answer("--adapter", "\(path):1.0") == adapted)
        let other = try folder.file("other.gguf", Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try answer("--adapter", "\(path):0.5", "--adapter", "\(other):-0.5") == plain)
    }

    @Test("inspect shows what an adapter changes")
    func inspect() throws {
        let folder = try TemporaryFolder()
        let path = try adapter(folder)
        let text = try LeapProgram.run("inspect", path)
        #expect(
            text.output.contains("adapter (lora), rank 8, alpha 16, changes 1 tensor of its model"), "\(text.output)")
        #expect(!text.output.contains("chat template"))
        let json = try LeapProgram.run("inspect", path, "--json").output
        #expect(json.contains(#""adapter":{"alpha":16.0,"ranks":[8],"tensors":1,"type":"lora"}"#), "\(json)")
        #expect(json.contains(#""type":"adapter""#))
        #expect(try !LeapProgram.run("inspect", "demo", "--json").output.contains(#""adapter""#))
    }

    @Test("An adapter as a model, a model as an adapter, and a missing one, each in a line that says so")
    func wrong() throws {
        let folder = try TemporaryFolder()
        let path = try adapter(folder)
        for (arguments, words) in [
            (["run", path, "--prompt", "Hi"], "is an adapter for lfm2 models"),
            (["run", "demo", "--prompt", "Hi", "--adapter", try LeapDemoModel.url.path], "is not an adapter"),
            (["run", "demo", "--prompt", "Hi", "--adapter", folder.path("missing.gguf")], "missing.gguf"),
            (["run", "demo", "--prompt", "Hi", "--adapter", "\(path):inf"], "--adapter"),
        ] {
            let outcome = try LeapProgram.run(arguments)
            #expect(outcome.status != 0 && outcome.output.isEmpty)
            #expect(outcome.errorLine.hasPrefix("Error: ") && outcome.errorLine.contains(words), "\(outcome.errorLine)")
        }
    }
}
