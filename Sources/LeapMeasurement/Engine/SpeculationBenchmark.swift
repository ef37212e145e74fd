import LeapDevices
import LeapEngine
package import LeapModel
import LeapTokenizer

/// Measures what proposing tokens gains or costs: without a draft model on outputs that are given, so that they are the
/// same for every model; with one on what the model itself writes.
package enum SpeculationBenchmark {
    /// The kind of text that an output has.
    package enum Workload: String, Sendable, CaseIterable {
        /// The prompt again with one token of 40 changed, as where a text is edited.
        case edit
        /// Nothing of the prompt.
        case new
        /// Three tokens of the prompt after another, each time followed by something else: every proposal is wrong.
        case misleading
        /// The most likely tokens.
        case greedy
        /// Tokens drawn with the file's sampling parameters.
        case sampled

        /// True if the model writes it, rather than being made to.
        var isOwn: Bool { self == .greedy || self == .sampled }
    }

    /// Decoding speed with proposals, as a ratio to the speed without.
    package struct Report: Sendable, Hashable {
        package var workload: Workload
        /// Tokens per second without proposals, the median of all runs.
        package var plain: Double
        /// Tokens per second with proposals, the median of all runs.
        package var proposed: Double
        /// Proposed tokens that were right, of all that were checked.
        package var accepted: Int
        package var drafted: Int
        /// The same by their position behind the output.
        package var acceptedByPosition: [Int] = []
        package var draftedByPosition: [Int] = []
    }

    /// Measures the workloads; runs with and without proposals alternate.
    ///
    /// - Parameters:
    ///   - draft: the path of a draft model; nil measures the proposals that need none.
    ///   - draftLayers: the use of the model's layers that predict further tokens; off without them.
    ///   - prompt: tokens of the prompt, at least 64.
    ///   - generate: tokens of each output, at least 1 and at most `prompt`.
    package static func run(
        path: String, draft: String? = nil, draftLayers: DraftLayerUse = .off, prompt: Int, generate: Int,
        threads: Int?, gpuLayers: Int = 0,
        repetitions: Int
    ) async throws -> [Report] {
        var options = EngineOptions()
        options.threads = threads
        options.gpuLayers = gpuLayers
        options.contextSize = prompt + generate
        options.draftLayers = draftLayers
        let engine = try Engine(
            model: try Model.load(path: path), draft: try draft.map { try DraftSources.load(path: $0) },
            options: options, devices: SystemDevices())
        let isDrafting = draft != nil || engine.usesDraftLayers
        let proposing = isDrafting ? Speculation.draft : .lookup
        guard let vocabulary = engine.model?.vocabularySize else { return [] }
        let text = EngineBenchmark.prompt(prompt, vocabularySize: vocabulary)
        var reports: [Report] = []
        for workload in Workload.allCases where workload.isOwn == isDrafting {
            let output = output(workload, text, count: generate, vocabularySize: vocabulary)
            var rates: [Speculation: [Double]] = [:]
            var report = Report(workload: workload, plain: 0, proposed: 0, accepted: 0, drafted: 0)
            let session = engine.makeSession()
            for _ in 0..<max(1, repetitions) {
                for speculation in [Speculation.off, proposing] {
                    var request = GenerationRequest(
                        prompt: text, sampling: SamplingValues.greedy, maxTokens: generate)
                    if workload == .sampled {
                        request.sampling = engine.model?.samplingDefaults ?? SamplingValues()
                        request.sampling.seed = 1
                    }
                    if !workload.isOwn { request.makeConstraint = { GivenOutput(tokens: output) } }
                    request.speculation = speculation
                    for await event in session.events(request) {
                        guard case .finished(let result) = event else { continue }
                        rates[speculation, default: []].append(Double(generate - 1) / max(result.decodeSeconds, 1e-9))
                        if speculation == proposing {
                            (report.accepted, report.drafted) = (
                                result.progress.acceptedTokens, result.progress.draftedTokens
                            )
                            report.acceptedByPosition = result.progress.acceptedByPosition
                            report.draftedByPosition = result.progress.draftedByPosition
                        }
                    }
                }
            }
            report.plain = EngineBenchmark.median(rates[.off] ?? [])
            report.proposed = EngineBenchmark.median(rates[proposing] ?? [])
            reports.append(report)
        }
        await engine.unload()
        return reports
    }

    private static func output(
        _ workload: Workload, _ prompt: [TokenID], count: Int, vocabularySize: Int
    ) -> [TokenID] {
        // Prompts of benchmarks leave the ends of the vocabulary out: none of these tokens is in the prompt.
        let other = { (index: Int) in TokenID(vocabularySize - 1 - index % max(1, vocabularySize / 20)) }
        return (0..<count).map { index in
            switch workload {
            case .edit: index % 40 == 39 ? other(index) : prompt[index % prompt.count]
            case .new: other(index)
            case .greedy, .sampled: 0
            case .misleading: index % 4 == 3 ? other(index) : prompt[(index / 4 * 5 + index % 4) % prompt.count]
            }
        }
    }

    /// Allows one sequence of tokens.
    private struct GivenOutput: TokenConstraint {
        let tokens: [TokenID]
        var count = 0
        var isComplete: Bool { count == tokens.count }

        mutating func computeMask(into mask: inout TokenMask) { mask[tokens[count]] = true }

        mutating func accept(_ token: TokenID) throws { count += 1 }
    }
}
