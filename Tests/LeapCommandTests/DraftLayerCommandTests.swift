import Foundation
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

/// `--draft-layers` of the programs.
@Suite(.inTurns)
struct DraftLayerCommandTests {
    /// Writes a model, with its block that predicts further tokens or without.
    private static func write(in folder: borrowing TemporaryFolder, hasBlock: Bool = true) throws -> String {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures")
        let trunk = try GGUFFile.open(path: fixtures.appendingPathComponent("qwen35.gguf").path)
        let block = try GGUFFile.open(path: fixtures.appendingPathComponent("mtp/mtp-qwen35.gguf").path)
        var writer = GGUFWriter(copyingMetadataOf: block)
        writer.set(
            "tokenizer.chat_template",
            .string(GGUFString("{% for message in messages %}{{ message.content }}{% endfor %}")))
        for tensor in trunk.tensors { try writer.add(tensor) }
        for tensor in block.tensors where hasBlock && trunk.tensor(tensor.name) == nil { try writer.add(tensor) }
        let path = folder.url.appendingPathComponent(hasBlock ? "whole.gguf" : "trunk.gguf").path
        try writer.write(to: path)
        return path
    }

    @Test("The answer is the same with any use of the layers; one that a model has not is refused")
    func effect() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(in: folder)
        func run(_ use: String) throws -> String {
            try LeapProgram.run(
                "run", path, "--prompt", "hello hello", "--temperature", "0", "--max-tokens", "16", "--context", "128",
                "--draft-layers", use
            ).output
        }
        let off = try run("off")
        for use in ["auto", "2"] { #expect(try run(use) == off) }
        let trunk = try Self.write(in: folder, hasBlock: false)
        let refused = try LeapProgram.run(["run", trunk, "--prompt", "x", "--draft-layers", "2"])
        #expect(refused.status != 0 && refused.errors.contains("--draft-layers is 2"))
        for wrong in ["0", "17", "all"] {
            #expect(try LeapProgram.run(["run", path, "--prompt", "x", "--draft-layers", wrong]).status != 0)
        }
    }

    @Test("bench --speculation --draft-layers measures what the layers propose, by position")
    func bench() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(in: folder)
        let line = try LeapProgram.run(
            "bench", path, "--speculation", "--draft-layers", "2", "--prompt", "64", "--generate", "16",
            "--repetitions", "1", "--json"
        ).output
        #expect(line.contains("\"drafted_by_position\":["))
        #expect(try LeapProgram.run(["bench", path, "--draft-layers", "2"]).status != 0)
    }
}
