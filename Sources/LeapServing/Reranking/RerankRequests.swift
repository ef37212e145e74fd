import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/rerank`, as Jina's and Cohere's APIs have it: documents in the order in which they answer a query.
struct RerankRequests: Sendable {
    let pool: ModelPool

    /// The maximum number of documents in a request.
    static let maxDocuments = 2048

    /// The request: `query`, `documents`, `top_n`, `return_documents`, `truncate`.
    func rerank(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        guard let query = try fields.string("query"), !query.isEmpty else {
            throw APIError.invalid("'query' is missing or empty; expected a string", "query")
        }
        let documents = try Self.documents(&fields)
        let top = try fields.integer("top_n", in: 1...Int(Int32.max)) ?? documents.count
        let returnsDocuments = try fields.bool("return_documents") ?? false
        // One long document is cut and named, as its others are none of its fault; whoever wants none cut says so.
        let options = RankingOptions(truncate: try fields.bool("truncate") ?? true)
        let lease = try await request.lease(model, from: pool)
        let rankings: [Ranking]
        do {
            rankings = try await lease.runner.rank(query: query, documents: documents, options: options)
        } catch let error as LeapGenerationPromptExceedContextLengthException {
            throw APIError(error, parameter: "documents")
        }
        withExtendedLifetime(lease) {}
        // A query that is compared by its tokens is computed once.
        let queryTokens = Int64(rankings.first?.queryTokenCount ?? 0)
        let tokens = rankings.reduce(queryTokens) { $0 + Int64($1.tokenCount) }
        request.record?.read(tokens: tokens)
        let count = JSONValue.integer(tokens)
        let results = rankings.prefix(top).map { ranking in
            var result: JSONObject = [
                "index": .integer(Int64(ranking.index)), "relevance_score": .double(Double(ranking.relevance)),
            ]
            if returnsDocuments { result["document"] = .object(["text": .string(documents[ranking.index])]) }
            return JSONValue.object(result)
        }
        let cut = rankings.filter(\.isTruncated).map(\.index).sorted()
        return ServerReply.json(
            .object([
                "object": "list", "model": .string(lease.model.id), "results": .array(results),
                "usage": .object([OpenAI.Key.promptTokens: count, OpenAI.Key.totalTokens: count]),
            ])
        ).warning(of: fields.ignored).noting(
            cut.isEmpty
                ? nil : "cut to the context: " + cut.prefix(16).map { "documents[\($0)]" }.joined(separator: ", "))
    }

    /// Reads `documents`: texts, or objects that have them in `text`.
    private static func documents(_ fields: inout RequestFields) throws(APIError) -> [String] {
        guard let values = try fields.array("documents"), !values.isEmpty else {
            throw .invalid("'documents' is missing or empty; expected an array of texts", "documents")
        }
        guard values.count <= maxDocuments else {
            throw .invalid("there are \(values.count) documents; at most \(maxDocuments) are taken", "documents")
        }
        var documents: [String] = []
        documents.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            guard let text = value.string ?? value["text"]?.string else {
                throw .invalid(
                    "'documents[\(index)]' is \(value.kind); expected a string, or an object with one in 'text'",
                    "documents[\(index)]")
            }
            documents.append(text)
        }
        return documents
    }
}
