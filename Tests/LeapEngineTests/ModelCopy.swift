import Foundation
import LeapGGUF

@testable import LeapModel

/// Changed copies of model files.
enum ModelCopy {
    /// A change of a tensor in the copy.
    enum Change {
        case keep, drop
        case replace(type: GGUFTensorType, shape: [Int], bytes: [UInt8])
    }

    /// Writes a changed copy and loads it.
    ///
    /// - Parameter more: tensors of floats that are added.
    static func load(
        _ path: String, changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> Change = { _ in .keep },
        more: [(name: String, shape: [Int], values: [Float])] = []
    ) throws -> Model {
        try open(path, changeMetadata: changeMetadata, changeTensor: changeTensor, more: more) {
            try Model.load(path: $0)
        }
    }

    /// Writes a changed copy and opens it in any way.
    static func open<T>(
        _ path: String, changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> Change = { _ in .keep },
        more: [(name: String, shape: [Int], values: [Float])] = [], open: (String) throws -> T
    ) throws -> T {
        let file = try GGUFFile.open(path: path)
        var metadata: [String: GGUFValue] = [:]
        for key in file.metadata.keys { metadata[key] = file.metadata[key] }
        changeMetadata(&metadata)
        var writer = GGUFWriter()
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { writer.set(key, value) }
        for tensor in file.tensors {
            switch changeTensor(tensor) {
            case .keep: try writer.add(tensor)
            case .drop: break
            case .replace(let type, let shape, let bytes):
                try writer.add(tensor: tensor.name, type: type, shape: shape, bytes: bytes)
            }
        }
        for (name, shape, values) in more {
            try writer.add(tensor: name, shape: shape, floats: values)
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: url) }
        try writer.write(to: url.path)
        return try open(url.path)
    }
}
