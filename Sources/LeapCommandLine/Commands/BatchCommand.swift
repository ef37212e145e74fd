package import ArgumentParser

/// `leap batch IN OUT`: a file of requests, and a file of answers.
package struct BatchCommand: ToolCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Answer a file of requests in OpenAI's batch format.",
        discussion: """
            Each line of IN is a JSON object with custom_id, method (POST), url (/v1/chat/completions, /v1/completions, /v1/embeddings, /v1/systemone or /v1/decisions) and
            body. Each gets one line in OUT, in the order of IN; an unreadable line gets an error that names it. After Ctrl-C or any other
            interruption, run the command again: it continues with the first line that has no answer.
            """)

    @Argument(help: "The requests, a JSON object in each line.", completion: .file(extensions: ["jsonl"]))
    package var input: String

    @Argument(help: "The answers; those of an earlier run are kept.", completion: .file(extensions: ["jsonl"]))
    package var output: String

    @Option(
        name: .customLong("model"),
        help:
            "A GGUF file or a folder with one, an installed model's name, or \"demo\"; the first answers lines that name no model. Repeatable.",
        completion: ModelCompletion.kind
    )
    package var models: [String] = []

    @Flag(help: "Answer every line with the first --model, whatever it names.")
    package var ignoreModel = false

    @Option(parsing: .unconditional, help: "Lines to answer at a time, 1 to 1024.")
    package var parallel = 32

    @Option(parsing: .unconditional, help: "CPU threads, 1 to 1024 (default: the machine's performance cores).")
    package var threads: Int?

    @Option(parsing: .unconditional, help: "Context size in tokens, 1 or more (default: each model's own).")
    package var context: Int?

    @Option(help: "Keep the computed state of prompts in this directory, for later runs.", completion: .directory)
    package var cache: String?

    package func validate() throws {
        try CountRange(1...1024).check(parallel, "--parallel")
        try CountRange.threads.check(threads, "--threads")
        try CountRange.context.check(context, "--context")
        guard !ignoreModel || !models.isEmpty else { throw ValidationError("--ignore-model needs --model") }
    }
}
