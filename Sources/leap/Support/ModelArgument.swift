import ArgumentParser
import Foundation
import LeapDemoModel
import LeapGGUF

/// What a user writes where a command takes a model: a path, a model's name or address, or the embedded model's name.
struct ModelArgument: ExpressibleByArgument {
    let text: String

    init(text: String) {
        self.text = text
    }

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The file to open.
    ///
    /// A file called "demo" in the current folder can still be reached as "./demo". A model that is named and not on this machine is
    /// offered to be fetched, where there is a person to ask.
    func url() async throws -> URL {
        if text == LeapDemoModel.name { return try LeapDemoModel.url }
        if let reference = try ModelNames.reference(text) { return try await ModelNames.file(reference) }
        if text.hasPrefix("file://"), let url = URL(string: text) { return url }
        return URL(fileURLWithPath: (text as NSString).expandingTildeInPath)
    }

    /// The parsed file, for commands that look at it without running it.
    func open(useMmap: Bool = true) async throws -> GGUFFile {
        try GGUFFile.open(path: await url().path, useMmap: useMmap)
    }
}
