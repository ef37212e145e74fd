import ArgumentParser
import Foundation
import LeapCore
import LeapSDK
import LeapServing

/// `leap batch IN OUT`: a file of requests, and a file of answers.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Answer a file of requests in OpenAI's batch format.",
        discussion: """
            Each line of IN is a JSON object with custom_id, method (POST), url (/v1/chat/completions, /v1/completions or /v1/embeddings) and
            body. Each gets one line in OUT, in the order of IN; a line that cannot be read gets an error that names it. Run again, after
            Ctrl-C or whatever ended it, it goes on with the first line that has no answer.
            """)

    @Argument(help: "The requests, a JSON object in each line.")
    var input: String

    @Argument(help: "The answers; what is there from an earlier run is kept.")
    var output: String

    @Option(
        name: .customLong("model"),
        help: "A GGUF file, an installed model's name, or \"demo\"; the first answers lines that name none. Repeatable."
    )
    var models: [String] = []

    @Flag(help: "Answer every line with the first --model, whatever it names.")
    var ignoreModel = false

    @Option(help: "Lines that are answered at a time.")
    var parallel = 32

    @Option(help: "CPU threads (default: the machine's performance cores).")
    var threads: UInt32?

    @Option(help: "Context size in tokens (default: each model's own).")
    var context: UInt32?

    @Option(help: "Keep what is computed for prompts in this directory, for later runs.")
    var cache: String?

    func validate() throws {
        guard (1...1024).contains(parallel) else {
            throw ValidationError("--parallel is \(parallel): it has to be 1 to 1024")
        }
        guard !ignoreModel || !models.isEmpty else { throw ValidationError("--ignore-model needs --model") }
    }

    func run() async throws {
        // A limit on the sizes of files is an error of writing, not the end of the program.
        signal(SIGXFSZ, SIG_IGN)
        let catalog = try await Self.explained {
            try ModelCatalog.serving(models) { try EmbeddedModels.url(named: $0)?.path }
        }
        let pool = ModelPool(catalog: catalog, configuration: poolConfiguration)
        // A model that does not load is an error of the command, not of every line.
        if !models.isEmpty { _ = try await Self.explained { try await pool.lease(nil) } }
        var configuration = BatchRun.Configuration()
        configuration.parallel = parallel
        configuration.model = ignoreModel ? catalog.defaultName : nil
        let batch = BatchRun(
            server: Server(pool: pool, access: AccessRules(), hasPage: false, allowsPulls: false),
            configuration: configuration)
        let display = BatchDisplay()
        let task = Task { try await batch.run(input: input, output: output) { display.show($0) } }
        let interrupts = Interrupts { task.cancel() }
        let progress = try await Self.explained { try await task.value }
        withExtendedLifetime(interrupts) {}
        display.end(progress, isInterrupted: task.isCancelled)
        await pool.close()
        if task.isCancelled { throw ExitCode(130) }
    }

    private static func explained<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as BatchError {
            throw CommandError(error.description)
        } catch let error as APIError {
            throw CommandError(error.message)
        }
    }

    private var poolConfiguration: ModelPool.Configuration {
        var configuration = ModelPool.Configuration()
        configuration.keepAlive = nil
        configuration.cpuThreads = threads
        configuration.contextSize = context
        configuration.cache =
            cache.map { .enabled(path: $0) } ?? LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)
        // Every line at work is computed in one batch, and replies that a line asks for beside its first wait. Nobody reads along, so a step
        // may last for as long as it takes to compute prompts well.
        configuration.extras = """
            {"maxActiveGenerations": \(max(32, parallel)), "maxQueuedGenerations": \(parallel * 64), "sharedStepMilliseconds": 1000}
            """
        return configuration
    }
}
