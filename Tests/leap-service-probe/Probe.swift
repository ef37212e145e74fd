import Foundation
import LeapBase
import LeapHTTP
import LeapSDK
import LeapService
import LeapServing
import LeapTransfers

/// A service without HTTP and an app that uses it, as programs of their own that tests can kill.
///
///     leap-service-probe serve SOCKET
///     leap-service-probe ask SOCKET MODEL TOKENS    writes what the model says, and waits for the end of its input
///     leap-service-probe measure SOCKET MODEL TOKENS CONTEXT    tokens per second and memory, in the service and then here
///     leap-service-probe greet-as SOCKET USER    greets as another user
///     leap-service-probe hold SOCKET MODEL TOKENS    generates, writes its memory, and waits for the end of its input
@main
enum Probe {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("serve", 2): try await serve(arguments[1])
            case ("ask", 4): try await ask(arguments[1], arguments[2], Int32(arguments[3]) ?? 64)
            case ("measure", 5):
                try await measure(arguments[1], arguments[2], Int32(arguments[3]) ?? 64, UInt32(arguments[4]) ?? 2048)
            case ("greet-as", 3): try await greet(arguments[1], as: uid_t(arguments[2]) ?? 65_534)
            case ("hold", 4): try await hold(arguments[1], arguments[2], Int32(arguments[3]) ?? 64)
            default:
                say("usage: leap-service-probe serve|ask|measure|hold SOCKET …")
                exit(64)
            }
        } catch {
            say("error \(type(of: error)) \(error)")
            exit(1)
        }
    }

    /// A line that arrives at once, also in a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func serve(_ socket: String) async throws {
        let pool = ModelPool(catalog: ModelCatalog(given: [], downloader: LeapDownloader()), configuration: .init())
        let host = ServiceHost(pool: pool, cacheFolder: socket + ".cache") { say("state \($0)") }
        let listener = try ServiceListener(ServicePlace(path: socket), host: host)
        say("ready")
        await host.tellStates(every: .milliseconds(20))
        withExtendedLifetime(listener) {}
    }

    private static func load(_ socket: String, _ model: String, context: UInt32? = nil, forceLocal: Bool = false)
        async throws
        -> any ModelRunner
    {
        let downloader = LeapDownloader(
            config: LeapDownloaderConfig(), transport: StandardTransport.make(),
            serviceLookup: ServiceLookup(socket: socket, patience: .seconds(900)))
        return try await downloader.loadSimpleModel(
            model: ModelSource(modelPath: model, modelName: "probe", quantizationId: "any"),
            options: LiquidInferenceEngineManifestOptions(contextSize: context), forceLocal: forceLocal)
    }

    private static func options(_ tokens: Int32) -> GenerationOptions {
        GenerationOptions(temperature: 0.8, rngSeed: 7, maxTokens: tokens)
    }

    private static func ask(_ socket: String, _ model: String, _ tokens: Int32) async throws {
        let runner = try await load(socket, model)
        say("loaded")
        let conversation = runner.createConversation()
        for try await response in conversation.generateResponse(
            userTextMessage: "Tell me a story.", generationOptions: options(tokens))
        {
            switch response {
            case .chunk(let text): say("chunk \(text.debugDescription)")
            case .complete(let completion): say("complete \(completion.finishReason.rawValue)")
            default: break
            }
        }
        _ = readLine()
        withExtendedLifetime(conversation) {}
    }

    /// Generates in turn in the service and here, so that what else the machine does concerns both.
    private static func measure(_ socket: String, _ model: String, _ tokens: Int32, _ context: UInt32) async throws {
        let remote = try await load(socket, model, context: context)
        let local = try await load(socket, model, context: context, forceLocal: true)
        for round in 0..<6 {
            for (name, runner) in round.isMultiple(of: 2)
                ? [("service", remote), ("local", local)] : [("local", local), ("service", remote)]
            {
                let clock = ContinuousClock.now
                for try await response in runner.createConversation().generateResponse(
                    userTextMessage: "Tell me a story.", generationOptions: options(tokens))
                {
                    guard case .complete(let completion) = response, let stats = completion.stats else { continue }
                    let seconds = (ContinuousClock.now - clock) / .seconds(1)
                    say(
                        "\(name) \(stats.completionTokens) tokens \(stats.tokenPerSecond) tok/s, all \(Double(stats.completionTokens) / seconds) tok/s"
                    )
                }
            }
        }
    }

    /// Greets as another user, and tells what comes back.
    private static func greet(_ socket: String, as user: uid_t) async throws {
        guard setuid(user) == 0 else { return say("no other user") }
        let descriptor = try UnixSocket.connect(socket)
        _ = UnixSocket.write(
            descriptor, try WireFrame(ClientMessage.hello(version: ServiceProtocol.version, app: nil)).bytes[...])
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            switch UnixSocket.read(descriptor, into: &buffer) {
            case .bytes(let count): return say("answered \(count)")
            case .ended: return say("closed")
            case .wouldBlock: try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    private static func hold(_ socket: String, _ model: String, _ tokens: Int32) async throws {
        let runner = try await load(socket, model)
        let conversation = runner.createConversation()
        for try await _ in conversation.generateResponse(
            userTextMessage: "Tell me a story.", generationOptions: options(tokens))
        {}
        say("held")
        _ = readLine()
        withExtendedLifetime((runner, conversation)) {}
    }
}
