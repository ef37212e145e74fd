import LeapBase
import LeapCore

extension ModelCatalog {
    /// Fewer bytes than any model has.
    private static let leastMemory: Int64 = 1_000_000

    /// Checks that the given models can be loaded, each alone, so that a server which cannot answer does not start.
    ///
    /// - Parameter memory: the bytes that loaded models may have; nil for no limit.
    /// - Throws: ``APIError`` or ``LeapModelLoadingException``, each a sentence with the file or the option.
    package func check(memory: Int64?) throws {
        for model in given { try ModelLoader.check(path: model.path) }
        guard let memory else { return }
        if let model = given.first(where: { $0.byteCount > memory }) {
            throw APIError.invalid(
                "--memory is \(memory), and '\(model.id)' alone has \(model.byteCount) bytes: raise it, or leave the model out"
            )
        }
        let sizes = given.isEmpty ? all().map(\.byteCount) : []
        if let smallest = sizes.min(), smallest > memory {
            throw APIError.invalid(
                "--memory is \(memory), and the smallest model that is installed has \(smallest) bytes: raise it")
        }
        guard memory >= Self.leastMemory else {
            throw APIError.invalid(
                "--memory is \(memory) bytes, which is too little for any model: raise it, for example to 8GB")
        }
    }
}
