import ArgumentParser
import Foundation
import LeapSDK

/// `leap rerank MODEL QUERY FILE…`: lines in the order in which they answer a query.
struct RerankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerank",
        abstract: "Sort lines of text by how well they answer a query.",
        discussion: """
            The model must be a reranker, such as bge-reranker or Qwen3-Reranker, or a late-interaction model, such as LFM2-ColBERT. Every line of a file is a document, except \
            empty ones. The best comes first, each as its relevance from 0 to 1, a tab and the text, or with --json as an object with \
            "relevance", "logit", "index" (documents count from 0 over all files), "text" and "tokens".
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "The query.")
    var query: String

    @Argument(help: "Files of text; - is standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Print JSON lines.")
    var json = false

    @Option(name: .customLong("top"), help: "How many documents to print (default: all).")
    var top: Int?

    @Flag(help: "Cut documents that do not fit into the context with the query instead of refusing them.")
    var truncate = false

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    private struct Line: Encodable {
        let relevance: Float
        let logit: Float
        let index: Int
        let text: String
        let tokens: Int
    }

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top is \(top); expected 1 or more.") }
    }

    func run() async throws {
        let documents = try files.flatMap { try TextLines.read($0) }.filter { !$0.isEmpty }
        let runner = try await loading.load(model)
        let rankings = try await runner.rank(
            query: query, documents: documents, options: RankingOptions(truncate: truncate))
        for ranking in rankings.prefix(top ?? .max) {
            let text = documents[ranking.index]
            guard json else {
                Terminal.writeLine("\(ranking.relevance)\t\(text)")
                continue
            }
            Terminal.writeLine(
                try Line(
                    relevance: ranking.relevance, logit: ranking.logit, index: ranking.index, text: text,
                    tokens: ranking.tokenCount
                ).jsonLine())
        }
        await runner.unload()
    }
}
