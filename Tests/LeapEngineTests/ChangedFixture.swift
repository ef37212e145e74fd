import Foundation
import LeapGGUF

@testable import LeapModel

/// Fixtures with something changed.
enum ChangedFixture {
    typealias Change = ModelCopy.Change

    /// Writes a changed copy of a fixture and loads it.
    ///
    /// - Parameter added: further tensors of one dimension.
    static func load(
        _ name: String, changeMetadata: (inout [String: GGUFValue]) -> Void = { _ in },
        changeTensor: (GGUFTensor) -> Change = { _ in .keep }, adding added: [String: [Float]] = [:]
    ) throws -> Model {
        try ModelCopy.load(
            Fixture.path(name), changeMetadata: changeMetadata, changeTensor: changeTensor,
            more: added.sorted { $0.key < $1.key }.map { ($0.key, [$0.value.count], $0.value) })
    }

    /// The error of what should fail; nil where it does not, or with another kind of error.
    static func failure(_ body: () throws -> Model) -> EngineError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? EngineError }
    }
}

extension ModelCopy.Change {
    /// A tensor of this shape, all of whose numbers are 0.
    static func zeros(_ shape: [Int]) -> Self {
        .replace(type: .f32, shape: shape, bytes: [UInt8](repeating: 0, count: 4 * shape.reduce(1, *)))
    }
}
