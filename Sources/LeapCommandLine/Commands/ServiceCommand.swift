import ArgumentParser
import Foundation
import LeapBase
import LeapChat
import LeapSDK
import LeapService

/// `leap service`: the model service, which apps of this user share.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract:
            "Start, stop and look at the model service, which keeps one copy of each model for all apps of this user.",
        discussion: """
            While the service runs, apps that load a model with a downloader use it automatically. It is the program leap-server, which “leap serve”
            runs too: “leap serve --service” answers HTTP and apps from one copy of each model.
            """,
        subcommands: [
            ServiceStartCommand.self, ServiceStopCommand.self, ServiceStatusCommand.self, ServiceInstallCommand.self,
        ])
}

/// The options that name the place of the service.
struct ServicePlaceArguments: ParsableArguments {
    @Option(help: "The path of the socket (default: LEAP_SERVICE_SOCKET, else in the user's runtime directory).")
    var socket: String?

    func place() throws -> ServicePlace {
        if let socket {
            guard socket.hasPrefix("/") else {
                throw CommandError("--socket is \(socket): it has to be an absolute path")
            }
            return ServicePlace(path: socket)
        }
        guard let place = ServicePlace.standard() else {
            throw CommandError(
                "\(ServicePlace.variable) says that there is no model service: unset it, or give --socket")
        }
        return place
    }
}

extension ServicePlace {
    /// A view of the service that runs here; nil where none does.
    ///
    /// - Throws: an error that says so where there is one that does not answer, or that cannot be used.
    fileprivate func client() async throws -> LeapServiceClient? {
        do throws(ServiceAbsence) {
            return try await LeapServiceClient.reach(self)
        } catch {
            switch error.code {
            case .noService: return nil
            case .silent: throw CommandError("\(error); its log is \(logPath)")
            case .unusable, .refused: throw error
            }
        }
    }

    /// A view of the service that has to run here.
    fileprivate func runningClient() async throws -> LeapServiceClient {
        guard let client = try await client() else {
            throw ServiceAbsence.noService(path: path)
        }
        return client
    }
}

struct ServiceStartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start the service in the background.",
        discussion:
            "Arguments after “--” go to leap-server: leap service start -- --threads 4 --http --port 8080."
    )

    @OptionGroup var location: ServicePlaceArguments

    @Argument(help: "Arguments of leap-server.")
    var arguments: [String] = []

    func run() async throws {
        let place = try location.place()
        if let client = try await place.client() {
            Terminal.note("the service is already running: \(try await client.status().state)")
            return
        }
        try place.makeFolder()
        let program = try SiblingProgram.server.path()
        let http = arguments.contains { ["--http", "--port", "--host"].contains($0) }
        let process = try BackgroundProcess.start(
            program, ["--service", "--socket", place.path] + (http ? [] : ["--no-http"]) + arguments, log: place.logPath
        )
        // It has nothing to load before it answers.
        for _ in 0..<200 {
            if let client = await LeapServiceClient.connect(to: place) {
                Terminal.writeLine(
                    "model service at \(place.path), process \(process): \(try await client.status().state)")
                return
            }
            guard BackgroundProcess.isRunning(process) else {
                throw CommandError(
                    "the service ended at once: \(BackgroundProcess.lastLine(of: place.logPath))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandError("the service does not answer; its log is \(place.logPath)")
    }
}

struct ServiceStopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop the service; running generations of apps end with an error.")

    @OptionGroup var location: ServicePlaceArguments

    func run() async throws {
        let place = try location.place()
        let client = try await place.runningClient()
        let process = try await client.status().processIdentifier
        guard process > 1, kill(process, SIGTERM) == 0 else {
            throw CommandError("process \(process) cannot be signalled to end: \(FileSystemError.text(of: errno))")
        }
        for _ in 0..<200 {
            if kill(process, 0) != 0 || !BackgroundProcess.isRunning(process) {
                Terminal.writeLine("the model service has ended")
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandError("process \(process) has not ended yet")
    }
}

struct ServiceStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what the service is doing, and which models it has loaded.")

    @OptionGroup var location: ServicePlaceArguments

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let place = try location.place()
        let client = try await place.runningClient()
        let status = try await client.status()
        var configurations: [LoadedModelConfiguration] = []
        for model in status.models {
            if let configuration = try await client.getLoadedModelConfig(model: model) {
                configurations.append(configuration)
            }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let all = ServiceReport(status: status, configurations: configurations)
            Terminal.writeLine(String(decoding: try encoder.encode(all), as: UTF8.self))
            return
        }
        Terminal.writeLine(status.state)
        Terminal.writeLine(
            "process \(status.processIdentifier), \(status.clients) apps, \(status.sessions) conversations, \(status.generations) generations"
        )
        for configuration in configurations {
            let threads = configuration.cpuThreads.map { ", \($0) threads" } ?? ""
            Terminal.writeLine(
                "\(ShownText.of(configuration.model, limit: 200)): context of \(configuration.contextSize) tokens\(threads)"
            )
        }
    }

    private struct ServiceReport: Encodable {
        let status: LeapServiceStatus
        let configurations: [LoadedModelConfiguration]
    }
}

struct ServiceInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract:
            "Make the system start the service, with a systemd user unit and its socket (Linux) or a launchd agent (macOS)."
    )

    @Option(help: "Write the files to this folder instead of the usual one.")
    var directory: String?

    @Option(parsing: .unconditionalSingleValue, help: "An argument for leap-server. Repeatable.")
    var argument: [String] = []

    @Flag(help: "Remove the files again.")
    var remove = false

    func run() throws {
        let files = try ServiceFiles(program: SiblingProgram.server.path(), arguments: argument)
        let folder = directory ?? files.usualFolder
        for file in files.all {
            let path = folder + "/" + file.name
            if remove {
                FileSystem.remove(path)
                Terminal.writeLine("removed \(path)")
                continue
            }
            try FileSystem.makeFolder(folder)
            try FileSystem.publish(Array(file.text.utf8), at: path, durable: false)
            Terminal.writeLine("wrote \(path)")
        }
        Terminal.writeLine(remove ? files.afterRemoval : files.afterInstallation)
    }
}
