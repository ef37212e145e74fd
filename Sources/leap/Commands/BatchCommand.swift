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

    @Argument(help: "The requests, a JSON object in each line.", completion: .file(extensions: ["jsonl"]))
    var input: String

    @Argument(help: "The answers; what is there from an earlier run is kept.", completion: .file(extensions: ["jsonl"]))
    var output: String

    @Option(
        name: .customLong("model"),
        help:
            "A GGUF file or a folder with one, an installed model's name, or \"demo\"; the first answers lines that name none. Repeatable.",
        completion: ModelCompletion.kind
    )
    var models: [String] = []

    @Flag(help: "Answer every line with the first --model, whatever it names.")
    var ignoreModel = false

    @Option(parsing: .unconditional, help: "Lines that are answered at a time, 1 to 1024.")
    var parallel = 32

    @Option(parsing: .unconditional, help: "CPU threads, 1 to 1024 (default: the machine's performance cores).")
    var threads: Int?

    @Option(parsing: .unconditional, help: "Context size in tokens, 1 or more (default: each model's own).")
    var context: Int?

    @Option(help: "Keep what is computed for prompts in this directory, for later runs.", completion: .directory)
    var cache: String?

    func validate() throws {
        try CountRange(1...1024).check(parallel, "--parallel")
        try CountRange.threads.check(threads, "--threads")
        try CountRange.context.check(context, "--context")
        guard !ignoreModel || !models.isEmpty else { throw ValidationError("--ignore-model needs --model") }
    }

    func run() async throws {
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
        configuration.cpuThreads = threads.map { UInt32($0) }
        configuration.contextSize = context.map { UInt32($0) }
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
