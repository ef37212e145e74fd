import Foundation
import LeapBase
import LeapModelDownloader
import LeapTransfers

/// Models by name, for every command: what is on this machine, and how to get what is not.
enum ModelNames {
    /// The downloader with the usual folder; `LEAP_HOME`, `HF_ENDPOINT` and `HF_TOKEN` are honoured.
    static let downloader = LeapDownloader()
    static var store: ModelStore { downloader.store }

    static func parse(_ text: String) throws -> ModelReference {
        try ModelReference.parse(text, endpoint: store.configuration.endpoint)
    }

    /// The model that a name means for commands about what `leap pull` fetched.
    ///
    /// - Throws: `CommandError` for a path, and for the embedded model.
    static func kept(_ name: String) throws -> ModelReference {
        guard case .model(let reference) = try ModelArgument(text: name).place() else {
            throw CommandError(
                "\(name) is not a model that “leap pull” fetched; “leap list” shows those, “leap inspect” reads any file"
            )
        }
        return reference
    }

    /// A model that is on this machine; if it is not, a person at a terminal is asked whether to fetch it.
    static func installed(_ reference: ModelReference) async throws -> InstalledModel {
        if let model = try store.find(reference) {
            store.touch(model.folder)
            return model
        }
        let name = reference.shown
        guard Terminal.inputIsTerminal, Terminal.errorIsTerminal else { throw notInstalled(name) }
        let size = try await store.downloadSize(reference)
        Terminal.draw(
            PrintableOutput.of("\(name) is not on this machine (\(ByteText.of(size))). Fetch it? [Y/n] "))
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? "n"
        guard answer.isEmpty || answer == "y" || answer == "yes" else { throw notInstalled(name) }
        return try await Puller.pull(reference, force: false)
    }

    static func notInstalled(_ name: String) -> CommandError {
        CommandError("\(name) is not on this machine: fetch it with “leap pull \(name)”, or give a path.")
    }
}
