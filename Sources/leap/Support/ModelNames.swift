import Foundation
import LeapModelDownloader
import LeapTransfers

/// Models by name, for every command: what is on this machine, and how to get what is not.
enum ModelNames {
    /// The downloader with the usual folder; `LEAP_HOME`, `HF_ENDPOINT` and `HF_TOKEN` are honoured.
    static let downloader = LeapDownloader()
    static var store: ModelStore { downloader.store }

    /// What a text means as a model's name or address; nil if it looks like a path on this machine.
    ///
    /// - Throws: an error that says how names are written, for a text that is meant as one and is none.
    static func reference(_ text: String) throws -> ModelReference? {
        if text.contains("://") { return text.hasPrefix("file://") ? nil : try parse(text) }
        if text.hasPrefix("hf:") { return try parse(text) }
        guard !text.hasPrefix("/"), !text.hasPrefix("."), !text.hasPrefix("~"), !text.contains("/"),
            !text.hasSuffix(".gguf"),
            !text.hasSuffix(".bundle"), !FileManager.default.fileExists(atPath: text)
        else { return nil }
        return try parse(text)
    }

    static func parse(_ text: String) throws -> ModelReference {
        try ModelReference.parse(text, endpoint: store.configuration.endpoint)
    }

    /// The file of a model; see ``installed(_:)``.
    static func file(_ reference: ModelReference) async throws -> URL {
        let model = try await installed(reference)
        return URL(fileURLWithPath: model.path(.model) ?? model.folder)
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
