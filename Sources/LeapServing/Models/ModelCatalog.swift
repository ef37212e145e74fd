import Foundation
import LeapBase
package import LeapSDK
package import LeapTransfers

/// The models that requests can name: those the server was started with, and those that are installed.
///
/// Requests name models; they never name paths.
package struct ModelCatalog: Sendable {
    /// Given when the server was started, the first of them the default.
    let given: [ServedModel]
    /// The downloader that knows the installed models; nil where only the given models are served.
    let downloader: LeapDownloader?
    /// Further names, the first that matches a request's counts; models that have the name themselves come before.
    package var aliases: [ModelAlias] = []
    /// The holder who sees only the models that it may name; nil for all models.
    var holder: KeyHolder?

    package init(given: [ServedModel], downloader: LeapDownloader?) {
        self.given = given
        self.downloader = downloader
    }

    /// A model from a path.
    ///
    /// - Parameter id: its name; nil for its file's name without the extension.
    package static func model(path: String, id: String? = nil) -> ServedModel {
        let url = URL(fileURLWithPath: path)
        let status = FileSystem.status(of: path)
        return ServedModel(
            id: id ?? url.deletingPathExtension().lastPathComponent, source: .path(path),
            byteCount: FileSystem.size(of: path) ?? 0, created: status.map { Int($0.modified / 1_000_000_000) } ?? 0)
    }

    /// The models that a command line names, each a path, an installed model's name or an embedded model's, and all
    /// that are installed.
    ///
    /// - Parameter embedded: the path of the embedded model of a name; nil where none has it.
    /// - Throws: ``APIError`` for a name that no model has.
    package static func serving(
        _ models: [String], embedded: (_ name: String) throws -> String?
    ) throws -> ModelCatalog {
        let downloader = LeapDownloader()
        let open = ModelCatalog(given: [], downloader: downloader)
        let given = try models.map { text in
            if let path = try embedded(text) { return model(path: path, id: text) }
            // Names as they are listed come first: they need not be ones that can be parsed.
            guard case .path(let path)? = try? ModelPlace.of(text, endpoint: downloader.store.configuration.endpoint)
            else { return try open.installed(text) }
            guard FileSystem.status(of: path) != nil else {
                throw APIError.notFound(
                    "there is no file at '\(ShownText.of(path, limit: 200))'", code: "model_not_found")
            }
            return model(path: path)
        }
        return ModelCatalog(given: given, downloader: downloader)
    }

    /// The name of the model for requests that name none.
    package var defaultName: String? { given.first?.id }

    /// A model that was downloaded.
    package static func model(_ installed: InstalledModel) -> ServedModel {
        ServedModel(
            id: installed.name, source: .installed(installed), byteCount: installed.size,
            created: Int(installed.lastUse.timeIntervalSince1970.rounded()))
    }

    /// True if the holder may name a model.
    private func isVisible(_ model: ServedModel) -> Bool { holder?.allows(model: model.id) ?? true }

    /// Every model that may be named, those given first.
    func all() -> [ServedModel] {
        var models = given
        for installed in (try? downloader?.store.list()) ?? []
        where !models.contains(where: { $0.id == installed.name }) {
            models.append(Self.model(installed))
        }
        return models.filter(isVisible)
    }

    /// The model of a name, or the first given one without a name.
    ///
    /// - Throws: ``APIError`` that lists some of the names there are.
    func find(_ name: String?) throws(APIError) -> ServedModel {
        guard let name, !name.isEmpty else {
            if let first = given.first(where: isVisible) { return first }
            throw .invalid("'model' is missing; \(names())", "model")
        }
        // Ollama's clients add a tag to names without one.
        let plain = name.hasSuffix(":latest") ? String(name.dropLast(7)) : name
        if let model = given.first(where: { $0.id == name || $0.id == plain }), isVisible(model) { return model }
        if let downloader,
            let reference = try? ModelReference.parse(plain, endpoint: downloader.store.configuration.endpoint),
            let installed = try? downloader.store.find(reference)
        {
            let model = Self.model(installed)
            if isVisible(model) { return model }
        }
        // An alias of an alias would be one that leads nowhere.
        if let alias = aliases.first(where: { $0.matches(name) }) {
            var plain = self
            (plain.aliases, plain.holder) = ([], nil)
            do {
                let model = try plain.find(alias.model)
                if isVisible(model) { return model }
            } catch {
                // It names all models; a holder gets to know of its own only.
                guard holder != nil else { throw error }
            }
        }
        throw .notFound("there is no model '\(ShownText.of(name, limit: 80))'; \(names())", code: "model_not_found")
    }

    /// A model that is installed under a name.
    ///
    /// - Throws: ``APIError`` where none is.
    package func installed(_ name: String) throws(APIError) -> ServedModel { try find(name) }

    private func names() -> String {
        let names = all().prefix(8).map { "'\($0.id)'" }
        return names.isEmpty
            ? "no models are installed: fetch one with “leap pull NAME”" : "there are \(names.joined(separator: ", "))"
    }
}
