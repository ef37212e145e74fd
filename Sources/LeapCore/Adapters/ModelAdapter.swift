import LeapChat
import LeapEngine
import LeapModel

/// A LoRA adapter that was loaded with a model.
public struct ModelAdapter: Sendable, Hashable, Codable {
    /// The name by which generations choose the adapter.
    ///
    /// It is the name from the loading options. Without one, it is the file's name without the extension.
    public var name: String
    /// The scale that applies when a generation sets none; 1 is the scale that the adapter was trained for.
    public var scale: Float
    /// The path of the adapter's file.
    public var path: String
    /// The largest rank of the adapter's matrices.
    public var rank: Int
}

/// The adapters beside a model, in the order of the loading options.
package struct LoadedAdapters: Sendable {
    let adapters: [ModelAdapter]
    private let engines: [Adapter]
    /// All of them with their own factors: what a generation has that asks for nothing else.
    private let standard: AdapterSet

    /// No adapters.
    package static let none = LoadedAdapters()

    private init() {
        self.init(elsewhere: [])
    }

    /// Adapters that another process has loaded: their names are checked here, and their weights are there.
    init(elsewhere adapters: [ModelAdapter]) {
        self.adapters = adapters
        engines = []
        standard = .none
    }

    /// Loads adapters for a model.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the file.
    init(_ requests: [AdapterRequest], for model: Model, useMmap: Bool) throws {
        var adapters: [ModelAdapter] = []
        var engines: [Adapter] = []
        for request in requests {
            let name = request.name ?? Self.name(of: request.path)
            if let other = adapters.first(where: { $0.name == name }) {
                throw LeapModelLoadingException(
                    message:
                        "two adapters in the extras are named '\(name)', \(other.path) and \(request.path): give one of them another 'name'",
                    path: request.path)
            }
            do {
                let adapter = try Adapter.load(path: request.path, for: model, useMmap: useMmap)
                engines.append(adapter)
                adapters.append(
                    ModelAdapter(name: name, scale: request.scale, path: request.path, rank: adapter.rank))
            } catch {
                let text = String(describing: error)
                throw LeapModelLoadingException(
                    message: text.contains(request.path) ? text : "\(request.path): \(text)", path: request.path,
                    cause: error)
            }
        }
        self.adapters = adapters
        self.engines = engines
        standard = try AdapterSet(zip(engines, adapters).map { ($0, $1.scale) })
    }

    /// The file's name without folders and extension.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map { String($0) } ?? path
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
        return String(file[..<dot])
    }

    /// Returns the adapters and factors that a generation is computed with.
    ///
    /// The order of the choices does not matter: what was kept with one order is used with another.
    ///
    /// - Parameter choices: what its extras ask for; nil for all adapters with their own factors.
    /// - Throws: ``LeapGenerationException`` that names an adapter that is not there, or a factor out of range.
    func set(_ choices: [AdapterChoice]?) throws -> AdapterSet {
        guard let choices else { return standard }
        var scales: [Int: Float] = [:]
        for choice in choices {
            guard let index = adapters.firstIndex(where: { $0.name == choice.name }) else {
                let names = adapters.map { "'\($0.name)'" }.joined(separator: ", ")
                throw LeapGenerationException(
                    "'adapters' in the extras names '\(choice.name)', which is not loaded: "
                        + (names.isEmpty
                            ? "there are no adapters; name them when you load the model" : "there are \(names)")
                )
            }
            guard scales.updateValue(choice.scale ?? adapters[index].scale, forKey: index) == nil else {
                throw LeapGenerationException("'adapters' in the extras names '\(choice.name)' twice")
            }
        }
        guard engines.count == adapters.count else { return .none }
        do {
            return try AdapterSet(scales.sorted { $0.key < $1.key }.map { (engines[$0.key], $0.value) })
        } catch {
            throw LeapGenerationException(error)
        }
    }
}
