package import ArgumentParser
package import Foundation
package import LeapCore
package import LeapGGUF
import LeapTransfers

/// A model as a user writes it: a path, a model's name or address, or an embedded model's name.
package struct ModelArgument: ExpressibleByArgument {
    static let help = ArgumentHelp(
        "A GGUF file or a folder with one, a model's name or address, or \"demo\"; see leap --help.")
    package static var defaultCompletionKind: CompletionKind { ModelCompletion.kind }

    let text: String
    package var defaultValueDescription: String { text }

    init(text: String) {
        self.text = text
    }

    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The place that the text stands for.
    enum Place {
        case file(URL)
        case model(ModelReference)
    }

    /// A file called "demo" in the current folder can still be reached as "./demo".
    func place() throws -> Place {
        if let url = try EmbeddedModels.url(named: text) { return .file(url) }
        switch try ModelPlace.of(text, endpoint: ModelNames.store.configuration.endpoint) {
        case .path(let path): return .file(URL(fileURLWithPath: path))
        case .model(let reference): return .model(reference)
        }
    }

    /// The text as it means the same in another folder.
    var lasting: String {
        guard case .file(_)? = try? place(), !EmbeddedModels.names.contains(text) else { return text }
        return URL(fileURLWithPath: (text as NSString).expandingTildeInPath).path
    }

    /// The GGUF file to open: of a folder, the model in it.
    ///
    /// A model that is named and not on this machine is offered to be fetched, where there is a person to ask.
    package func url() async throws -> URL { URL(fileURLWithPath: try await files().modelPath) }

    /// The model's files and what its manifest says, as loading it takes them.
    package func files() async throws -> ModelFiles {
        switch try place() {
        case .file(let url): return try ModelFiles.resolve(path: url.path)
        case .model(let reference):
            let installed = try await ModelNames.installed(reference)
            var files = ModelFiles(modelPath: installed.path(.model) ?? installed.folder)
            files.chatTemplate = installed.manifest.chatTemplate
            return files
        }
    }

    /// The parsed file, for commands that look at it without running it.
    package func open(useMmap: Bool = true) async throws -> GGUFFile {
        try GGUFFile.open(path: await url().path, useMmap: useMmap)
    }
}
