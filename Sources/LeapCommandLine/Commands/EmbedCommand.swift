public import ArgumentParser
import Foundation
import LeapBase
import LeapSDK

/// `leap embed MODEL FILE…`: a vector for each line.
struct EmbedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embed",
        abstract: "Turn each line of text into a vector.",
        discussion: """
            Similar texts have vectors with a small angle between them. Every line of a file is a text, even an empty one. Prints one line
            for each, in order: its numbers separated by spaces, or with --json an object with "embedding",
            "index" (lines count from 0 over all files), "text" and "tokens".
            """
    )

    /// Lines whose vectors are computed before they are printed.
    private static let linesAtOnce = 256

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Argument(help: "Files of text; - is standard input.", completion: .file())
    var files: [String]

    @Flag(help: "Print JSON lines.")
    var json = false

    @Option(help: "How tokens become one vector: mean, cls, last, or none for one each (default: what the file says).")
    var pooling: EmbeddingOptions.Pooling?

    @Flag(help: "Cut texts that are longer than the context instead of refusing them.")
    var truncate = false

    @Flag(
        name: .customLong("no-normalize"),
        help: "Do not scale vectors to length 1.")
    var noNormalize = false

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    private struct Line: Encodable {
        let embedding: [Float]?
        let embeddings: [[Float]]?
        let index: Int
        let text: String
        let tokens: Int
    }

    func run() async throws {
        let sources = try files.map { (name: $0, lines: try TextLines.read($0)) }
        let runner = try await loading.load(model)
        let options = EmbeddingOptions(pooling: pooling, normalize: !noNormalize, truncate: truncate)
        var index = 0
        for (name, lines) in sources {
            for start in stride(from: 0, to: lines.count, by: Self.linesAtOnce) {
                let texts = Array(lines[start..<min(start + Self.linesAtOnce, lines.count)])
                let embeddings: [TextEmbedding]
                do {
                    embeddings = try await runner.embed(texts, options: options)
                } catch let error as LeapException {
                    throw CommandError(
                        "\(name), lines \(start + 1) to \(start + texts.count), texts counted from 0: \(error.message)")
                }
                for (text, embedding) in zip(texts, embeddings) {
                    try write(embedding, of: text, index: index)
                    index += 1
                }
            }
        }
        await runner.unload()
    }

    private func write(_ embedding: TextEmbedding, of text: String, index: Int) throws {
        guard json else {
            for vector in embedding.vectors { Terminal.writeLine(vector.map { "\($0)" }.joined(separator: " ")) }
            return
        }
        let isOne = pooling != .perToken
        Terminal.writeLine(
            try Line(
                embedding: isOne ? embedding.vector : nil, embeddings: isOne ? nil : embedding.vectors, index: index,
                text: text, tokens: embedding.tokenCount
            ).jsonLine())
    }
}

extension EmbeddingOptions.Pooling: ExpressibleByArgument {}
