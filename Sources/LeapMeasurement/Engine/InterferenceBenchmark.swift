import LeapBase
import LeapDevices
import LeapEngine
import LeapModel
import LeapTokenizer

/// Measures how long a generation waits for its next token while the prompt of another one is computed, and what that
/// costs the prompt.
package enum InterferenceBenchmark {
    /// Times between one token and the next, in milliseconds.
    package struct Gaps: Sendable, Hashable {
        package var count: Int
        package var median: Double
        /// 99 of 100 are at most as long.
        package var percentile99: Double
        package var longest: Double

        init(_ gaps: [Double]) {
            let sorted = gaps.sorted()
            func at(_ share: Double) -> Double {
                sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
            }
            count = sorted.count
            median = at(0.5)
            percentile99 = at(0.99)
            longest = sorted.last ?? 0
        }
    }

    /// One run.
    package struct Report: Sendable, Hashable {
        /// Of the generation while it is alone.
        package var alone: Gaps
        /// Of the generation while the prompt is computed.
        package var beside: Gaps
        /// The prompt's tokens per second while nothing else runs.
        package var promptAlone: Double
        /// The prompt's tokens per second beside the generation.
        package var promptBeside: Double
    }

    /// Measures several times.
    ///
    /// - Parameters:
    ///   - prompt: tokens of the prompt, at least 1.
    ///   - generate: tokens that the generation makes alone before the prompt comes, at least 2.
    package static func run(
        path: String, prompt: Int, generate: Int, threads: Int?, gpuLayers: Int = 0,
        repetitions: Int
    ) async throws -> [Report] {
        var options = EngineOptions()
        options.threads = threads
        options.gpuLayers = gpuLayers
        let model = try Model.load(path: path)
        let engine = try Engine(model: model, options: options, devices: SystemDevices())
        guard prompt + 1 <= engine.contextSize else {
            throw EngineError.contextExceeded(needed: prompt + 1, available: engine.contextSize)
        }
        let texts = EngineBenchmark.prompt(prompt + 16, vocabularySize: model.vocabularySize)
        _ = await seconds(engine, Array(texts[..<min(64, prompt)]))
        var reports: [Report] = []
        for _ in 0..<repetitions {
            let aloneSeconds = await seconds(engine, Array(texts[..<prompt]))
            reports.append(await measure(engine, texts, prompt: prompt, generate: generate, aloneSeconds: aloneSeconds))
        }
        await engine.unload()
        return reports
    }

    private static func measure(
        _ engine: Engine, _ texts: [TokenID], prompt: Int, generate: Int, aloneSeconds: Double
    ) async -> Report {
        let times = Locked<[ContinuousClock.Instant]>([])
        let (warm, warmed) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let session = engine.makeSession()
        let request = GenerationRequest(prompt: Array(texts[prompt...]), sampling: .greedy)
        let generation = session.generate(request) { event in
            switch event {
            case .prefill, .speech: break
            case .token:
                let count = times.withLock { times in
                    times.append(.now)
                    return times.count
                }
                if count == generate { warmed.finish() }
            case .finished:
                warmed.finish()
                end.finish()
            }
        }
        for await _ in warm {}
        let start = ContinuousClock.now
        let besideSeconds = await seconds(engine, Array(texts[..<prompt]))
        let stop = ContinuousClock.now
        generation.cancel()
        for await _ in ended {}
        let all = times.withLock { $0 }
        func gaps(_ isCounted: (ContinuousClock.Instant) -> Bool) -> Gaps {
            Gaps(zip(all, all.dropFirst()).filter { isCounted($1) }.map { ($1 - $0).seconds * 1000 })
        }
        return Report(
            alone: gaps { $0 <= start }, beside: gaps { $0 > start && $0 <= stop },
            promptAlone: Double(prompt) / aloneSeconds, promptBeside: Double(prompt) / besideSeconds)
    }

    /// The time until the first token after a prompt, in a session of its own.
    private static func seconds(_ engine: Engine, _ prompt: [TokenID]) async -> Double {
        let session = engine.makeSession()
        let request = GenerationRequest(prompt: prompt, sampling: .greedy, maxTokens: 1)
        return await ContinuousClock().measure { for await _ in session.events(request) {} }.seconds
    }
}
