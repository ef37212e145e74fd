import Foundation
package import LeapCore
package import LeapEngine
package import LeapModel

// What the engine takes and reports, and what goes over the socket in its place.

extension GenerationProgress {
    package init(wire: [Int32]) {
        self.init()
        guard wire.count >= 5 else { return }
        (promptTokens, cachedPromptTokens, completionTokens) = (Int(wire[0]), Int(wire[1]), Int(wire[2]))
        (draftedTokens, acceptedTokens) = (Int(wire[3]), Int(wire[4]))
        // Only the end of a generation has these.
        guard wire.count >= 7 else { return }
        (reasoningTokens, wasReasoningCut) = (Int(wire[5]), wire[6] != 0)
    }

    package var wire: [Int32] {
        [
            promptTokens, cachedPromptTokens, completionTokens, draftedTokens, acceptedTokens, reasoningTokens,
            wasReasoningCut ? 1 : 0,
        ].map { Int32(clamping: $0) }
    }
}

extension EngineStatistics {
    init(_ statistics: ModelStatistics) {
        self.init()
        tokens.promptTokens = statistics.computedPromptTokens
        tokens.cachedPromptTokens = statistics.cachedPromptTokens
        tokens.completionTokens = statistics.generatedTokens
        tokens.draftedTokens = statistics.draftedTokens
        tokens.acceptedTokens = statistics.acceptedTokens
        tokens.draftedByPosition = statistics.draftedTokensByPosition
        tokens.acceptedByPosition = statistics.acceptedTokensByPosition
        generations = statistics.generations
        activeGenerations = statistics.activeGenerations
        queuedGenerations = statistics.queuedGenerations
        refusedGenerations = statistics.refusedGenerations
        cacheHits = statistics.cacheHits
        diskCacheHits = statistics.diskCacheHits
        cacheMisses = statistics.cacheMisses
        cacheEvictions = statistics.cacheEvictions
        diskCacheEvictions = statistics.diskCacheEvictions
        cacheBytes = statistics.cacheBytes
        diskCacheBytes = statistics.diskCacheBytes
        memoryBytes = statistics.memoryBytes
        gpu = statistics.gpu?.use
        audioDecoderGPU = statistics.audioDecoderGPU?.use
        imageEncoderGPU = statistics.imageEncoderGPU?.use
        pace = statistics.pace?.report
    }
}

extension GenerateRequest {
    package init(_ planned: PlannedRequest, generation: UInt32, session: UInt32) {
        let request = planned.request
        self.init(
            generation: generation, session: session, prompt: Packed.data(request.prompt),
            sampling: request.sampling, maxTokens: request.maxTokens,
            stopTokens: request.stopTokens.sorted(), likelihoodAlternatives: request.likelihoodAlternatives,
            media: planned.recipe.media.map { WireMedia($0) },
            speech: request.speech.map { WireSpeech($0) }, recipe: WireRecipe(planned.recipe))
    }

    /// The request without what its recipe makes; nil where the prompt is no tokens.
    package var request: GenerationRequest? {
        guard let tokens = Packed.integers(prompt) else { return nil }
        var request = GenerationRequest(
            prompt: tokens, sampling: sampling, maxTokens: maxTokens,
            stopTokens: Set(stopTokens))
        request.likelihoodAlternatives = likelihoodAlternatives
        request.speech = speech?.request
        return request
    }
}

extension WireMedia {
    init(_ file: PromptFile) { self.init(medium: file.medium, digest: Data(file.file.digest)) }
}

extension WireSpeech {
    init(_ request: SpeechRequest) {
        self.init(
            order: request.order, sampling: request.sampling, start: request.start,
            textEnd: request.textEnd)
    }

    var request: SpeechRequest {
        SpeechRequest(
            order: order, sampling: sampling, start: start, textEnd: textEnd)
    }
}

extension WireRecipe {
    init(_ recipe: RequestRecipe) {
        let settings = recipe.settings
        schema = settings.jsonSchemaConstraint
        extras = settings.further == GenerationExtras() ? nil : settings.further
        callSyntax = settings.functionCallParser.map { CallSyntaxDescription($0) }
        enableThinking = settings.enableThinking
        isReasoningOpen = recipe.isReasoningOpen
        openTurn = recipe.openTurn
        // Without a choice of tools, and without a form of answers, the functions are in the prompt and nowhere else.
        let isHeld = schema != nil || extras != nil
        functions = isHeld && !recipe.functions.isEmpty ? recipe.functions : nil
    }

    /// The recipe.
    package func recipe(maxTokens: Int?) -> RequestRecipe {
        var settings = GenerationSettings.standard
        settings.jsonSchemaConstraint = schema
        if let extras { settings.further = extras }
        settings.functionCallParser = callSyntax?.parser
        settings.enableThinking = enableThinking
        settings.maxTokens = maxTokens.map { Int32(clamping: $0) }
        return RequestRecipe(
            settings: settings,
            functions: functions ?? [], isReasoningOpen: isReasoningOpen, openTurn: openTurn)
    }
}

extension WireLikelihood {
    package init(_ likelihood: TokenLikelihood) {
        token = likelihood.token
        bits = likelihood.logProbability.bitPattern
        tokens = likelihood.alternatives.map(\.token)
        alternatives = likelihood.alternatives.map(\.logProbability.bitPattern)
    }

    var likelihood: TokenLikelihood {
        TokenLikelihood(
            token: token, logProbability: Float(bitPattern: bits),
            alternatives: zip(tokens, alternatives).map {
                TokenLikelihood.Alternative(token: $0, logProbability: Float(bitPattern: $1))
            })
    }
}

extension FinishedGeneration {
    package init(_ result: GenerationResult, generation: UInt32, statistics: ModelStatistics) {
        self.generation = generation
        switch result.reason {
        case .stopToken: reason = "stopToken"
        case .maxTokens: reason = "maxTokens"
        case .contextFull: reason = "contextFull"
        case .constraintComplete: reason = "constraintComplete"
        case .cancelled: reason = "cancelled"
        case .failed(let error):
            reason = "failed"
            self.error = WireError(error)
        }
        stopToken = result.stopToken
        wasBudgetLimited = result.wasBudgetLimited
        progress = result.progress.wire
        prefillSeconds = result.prefillSeconds
        decodeSeconds = result.decodeSeconds
        tokensPerSecond = result.tokensPerSecond.isFinite ? result.tokensPerSecond : 0
        self.statistics = statistics
    }

    /// The result, without likelihoods.
    var result: GenerationResult {
        let reason: GenerationResult.Reason =
            switch self.reason {
            case "stopToken": .stopToken
            case "maxTokens": .maxTokens
            case "contextFull": .contextFull
            case "constraintComplete": .constraintComplete
            case "cancelled": .cancelled
            default:
                .failed(
                    error?.error ?? LeapServiceException.violation("a generation ended for the reason '\(self.reason)'")
                )
            }
        var result = GenerationResult(reason: reason)
        result.stopToken = stopToken
        result.wasBudgetLimited = wasBudgetLimited
        result.progress = GenerationProgress(wire: progress)
        result.prefillSeconds = prefillSeconds
        result.decodeSeconds = decodeSeconds
        result.tokensPerSecond = tokensPerSecond
        return result
    }
}

extension ReadRequest.Text {
    init(_ request: ScoringRequest) {
        tokens = Packed.data(request.tokens)
        switch request.purpose {
        case .likelihoods(let first, let alternatives): (self.first, self.alternatives) = (first, alternatives)
        case .vectors(let pooling, let isNormalized):
            (self.pooling, self.isNormalized) = (pooling.rawValue, isNormalized)
        case .scores(let words): scores = words ?? []
        case .maskedWords(let places, let count): (masks, alternatives) = (places, count)
        case .labels(let tokens, let branch, let isNormalized):
            (labels, self.branch, self.isNormalized) = (tokens, branch, isNormalized)
        case .options(let places, let type): (options, questionType) = (places, type)
        }
        secondText = request.secondText
    }

    /// The request; nil where it asks for nothing that there is.
    package var request: ScoringRequest? {
        guard let tokens = Packed.integers(tokens) else { return nil }
        if let first, let alternatives {
            return ScoringRequest(tokens: tokens, purpose: .likelihoods(from: first, alternatives: alternatives))
        }
        if let masks, let alternatives {
            return ScoringRequest(tokens: tokens, purpose: .maskedWords(at: masks, count: alternatives))
        }
        if let labels, let branch {
            return ScoringRequest(
                tokens: tokens, purpose: .labels(labels, branch: branch, isNormalized: isNormalized ?? false))
        }
        if let options, let questionType {
            return ScoringRequest(tokens: tokens, purpose: .options(at: options, type: questionType))
        }
        if let scores {
            return ScoringRequest(
                tokens: tokens, purpose: .scores(of: scores.isEmpty ? nil : scores), secondText: secondText)
        }
        guard let pooling = pooling.flatMap({ Pooling(rawValue: $0) }) else { return nil }
        return ScoringRequest(tokens: tokens, purpose: .vectors(pooling, isNormalized: isNormalized ?? true))
    }
}

extension WireScoring {
    package init(_ reading: ScoringResult) {
        switch reading {
        case .likelihoods(let likelihoods): self.likelihoods = likelihoods.map { WireLikelihood($0) }
        case .vectors(let vectors): self.vectors = vectors.map { Packed.data($0) }
        case .scores(let scores): self.scores = Packed.data(scores)
        case .labels(let logits, let normalizer, let cachedCount):
            labels = Packed.data(logits)
            // Infinities are no JSON numbers; a sum that is one tells nothing.
            self.normalizer = normalizer.flatMap { $0.isFinite ? $0 : nil }
            self.cachedCount = cachedCount
        }
    }

    var reading: ScoringResult? {
        if let likelihoods { return .likelihoods(likelihoods.map(\.likelihood)) }
        if let scores { return Packed.floats(scores).map { .scores($0) } }
        if let labels {
            return Packed.floats(labels).map {
                .labels($0, normalizer: normalizer, cachedCount: max(0, cachedCount ?? 0))
            }
        }
        guard let vectors else { return nil }
        let floats = vectors.compactMap { Packed.floats($0) }
        return floats.count == vectors.count ? .vectors(floats) : nil
    }
}
