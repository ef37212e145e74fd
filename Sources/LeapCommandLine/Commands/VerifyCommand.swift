import ArgumentParser
import LeapTransfers

/// `leap verify [MODEL…]`: hash models again.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check models on this machine against their SHA-256.",
        discussion:
            "Without MODEL, checks all of them. Exits with status 1 if a file is damaged; “leap pull --force” fetches it again."
    )

    @Argument(help: "Models, by the names that “leap list” shows.", completion: ModelCompletion.installedKind)
    var models: [String] = []

    func run() async throws {
        let store = ModelNames.store
        // Also those whose files were cut or removed since: they are what this command is for.
        let all = try store.listRecorded()
        var chosen = all
        if !models.isEmpty {
            chosen = try models.map { name in
                if let model = all.first(where: { $0.name == name }) { return model }
                guard let model = try store.recorded(in: store.folder(of: try ModelNames.kept(name))) else {
                    throw ModelNames.notInstalled(name)
                }
                return model
            }
        }
        if chosen.isEmpty {
            Terminal.note(
                "There are no models in \(store.configuration.folder): nothing was checked. “leap pull” fetches one; “leap inspect FILE” looks at any file."
            )
        }
        var isDamaged = false
        for model in chosen {
            let damaged = try await store.verify(model)
            if damaged.isEmpty {
                let source =
                    model.files.allSatisfy(\.isVerified)
                    ? "as their source says" : "as they were fetched; the source gave no hash"
                Terminal.writeText(
                    "\(model.name): \(model.files.count) file\(model.files.count == 1 ? "" : "s"), \(source)")
            } else {
                isDamaged = true
                let faults = try store.faults(model)
                for fault in faults { Terminal.writeText("\(model.name): \(fault)") }
                for file in damaged where !faults.contains(where: { $0.hasPrefix(file.name + " ") }) {
                    Terminal.writeText("\(model.name): \(file.name) is damaged")
                }
                Terminal.note("“leap pull --force \(model.name)” fetches \(model.name) again.")
            }
        }
        if isDamaged { throw ExitCode(1) }
    }
}
