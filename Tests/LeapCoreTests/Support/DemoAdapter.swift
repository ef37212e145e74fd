import Foundation
import LeapDemoModel
import LeapGGUF
import LeapTestSupport

/// A random LoRA adapter of the demo model.
enum DemoAdapter {
    /// The adapter's file.
    ///
    /// - Parameters:
    ///   - suffix: what names of the tensors that are changed end in.
    ///   - change: further changes of the file.
    static func data(
        seed: UInt64, suffix: String = "ffn_down.weight", change: (inout GGUFWriter) throws -> Void = { _ in }
    ) throws -> Data {
        let model = try GGUFFile.open(path: LeapDemoModel.url.path)
        var random = SeededGenerator(seed: seed)
        var writer = GGUFWriter()
        writer.set("general.architecture", .string(GGUFString(try model.metadata.string("general.architecture") ?? "")))
        writer.set("general.type", "adapter")
        writer.set("adapter.type", "lora")
        writer.set("adapter.lora.alpha", .float32(4))
        for tensor in model.tensors where tensor.name.hasSuffix(suffix) {
            for (half, shape) in [("a", [tensor.shape[0], 2]), ("b", [2, tensor.shape[1]])] {
                try writer.add(
                    tensor: "\(tensor.name).lora_\(half)", shape: shape,
                    floats: (0..<shape[0] * shape[1]).map { _ in Float.random(in: -0.15...0.15, using: &random) })
            }
        }
        try change(&writer)
        return Data(try writer.bytes())
    }
}
