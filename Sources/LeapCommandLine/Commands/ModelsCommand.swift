import ArgumentParser
import LeapModel

/// `leap models`: the kinds of models that this version runs.
struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List the kinds of models that this version runs.",
        discussion: """
            A file names its kind in general.architecture; “leap inspect FILE” shows it. “leap list” lists the models on this machine.
            """)

    @Flag(help: "Print one JSON object a line.")
    var json = false

    private struct Line: Encodable {
        var architecture: String
        var models: String
        /// Year and month of the first model.
        var since: String
        var purpose: String
        var layers: String
    }

    func run() throws {
        let all = SupportedArchitecture.all
        if json {
            for entry in all {
                let line = Line(
                    architecture: entry.name, models: entry.models, since: entry.since,
                    purpose: entry.purpose.rawValue, layers: entry.layers)
                Terminal.writeLine(try line.jsonLine())
            }
            return
        }
        let width = all.map(\.name.count).max() ?? 0
        let purposeWidth = all.map(\.purpose.rawValue.count).max() ?? 0
        for entry in all {
            Terminal.writeText(
                "\(entry.name.padded(to: width))  \(entry.since)  \(entry.purpose.rawValue.padded(to: purposeWidth))  \(entry.models)"
            )
        }
    }
}
