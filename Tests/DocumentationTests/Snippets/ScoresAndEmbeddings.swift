import LeapSDK

/// The blocks of `ScoresAndEmbeddings.md` and of the pages on scores.
func scoreSnippets(runner: any ModelRunner, conversation: any Conversation, review: String) async throws {
    let options = GenerationOptions(extras: #"{"logprobs": true, "topLogprobs": 3}"#)
    for try await response in conversation.generateResponse(userTextMessage: "Yes or no?", generationOptions: options) {
        if case .complete(let completion) = response {
            for token in completion.logprobs ?? [] { print(token.token, token.logprob, token.alternatives) }
        }
    }

    let score = try await runner.score("The capital of France is Paris.")
    print(score.perplexity, score.tokens.map(\.logprob))

    let answers = ["positive", "negative"]
    let question = ChatMessage(role: .user, textContent: "Is this review positive or negative? \(review)")
    var logprobs: [Double] = []
    for answer in answers { logprobs.append(try await runner.score(answer, after: [question]).logprob) }
}

/// The blocks on embeddings.
func embeddingSnippets(runner: any ModelRunner) async throws {
    let notes = ["The library opens at nine.", "Bread is baked on Mondays.", "Books may be kept for three weeks."]
    let embeddings = try await runner.embed(notes)
    let query = try await runner.embed("When can I borrow a book?")
    let best = zip(notes, embeddings).max { query.similarity(to: $0.1) < query.similarity(to: $1.1) }
    print(best?.0 ?? "")
}

/// The block on reranking.
func rerankingSnippets(runner: any ModelRunner) async throws {
    let notes = ["The library opens at nine.", "Bread is baked on Mondays.", "Books may be kept for three weeks."]
    let found = try await runner.rank(query: "When can I borrow a book?", documents: notes)
    print(found.first.map { notes[$0.index] } ?? "")
}

/// The block on late interaction.
func lateInteractionSnippets(runner: any ModelRunner) async throws {
    let notes = ["The library opens at nine.", "Bread is baked on Mondays.", "Books may be kept for three weeks."]
    var options = EmbeddingOptions(pooling: .perToken)
    if runner.marksRoles { options.role = .document }
    let kept = try await runner.embed(notes, options: options)
    let found = try await runner.rank(query: "When can I borrow a book?", embeddings: kept)
    print(found.first.map { notes[$0.index] } ?? "")
}

/// The block on masked words.
func maskedWordSnippets(runner: any ModelRunner) async throws {
    for mask in try await runner.fillMask("The capital of France is [MASK].") {
        for candidate in mask.candidates { print(candidate.token, candidate.probability) }
    }
}
