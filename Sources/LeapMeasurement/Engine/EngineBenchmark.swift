import LeapCPU
package import LeapCompute
import LeapEngine
import LeapModel
import LeapTokenizer

/// Measures loading, prefill, decode and memory of a model, in the way llama-bench does.
package enum EngineBenchmark {
    /// The options of a measurement.
    package struct Options: Sendable, Hashable {
        /// Prompt tokens of a prefill run, at least 1.
        package var prompt = 512
        /// Tokens of a decode run, at least 1.
        package var generate = 64
        /// Threads; nil takes ``ThreadAdvisor/recommended``.
        package var threads: Int?
        /// Runs of each kind, of which the median counts; at least 1.
        package var repetitions = 3
        /// Tokens in the context before a decode run starts.
        package var depth = 0
        /// Sequences that are decoded side by side, each in the same pass as the others.
        package var sequences = 1
        /// Element type of cached keys and values.
        package var keyValueType: KeyValueType = .f16
        /// The form in which products take their inputs.
        package var precision = Precision.fast
        /// True if the file is mapped rather than read.
        package var useMmap = true
        /// The number of the last layers that a GPU computes.
        package var gpuLayers = 0

        /// Positions of the longest run.
        fileprivate var length: Int { max(prompt, depth + generate) }

        /// The defaults.
        package init() {}
    }

    /// The results of a measurement; of several runs the median.
    package struct Report: Sendable, Hashable {
        /// From opening the file until the engine can compute.
        package var loadMilliseconds: Double
        /// From opening the file until the logits after a prompt of one token.
        package var firstTokenMilliseconds: Double
        /// Prompt tokens per second.
        package var prefillTokensPerSecond: Double
        /// Generated tokens per second.
        package var decodeTokensPerSecond: Double
        /// Generated tokens per second of all sequences together; nil where only one was asked for.
        package var sequencesTokensPerSecond: Double?
        /// The most memory the process has had resident, the mapped file included.
        package var peakResidentBytes: Int
        /// Memory of the process that is not backed by a file.
        package var privateResidentBytes: Int
        /// Threads that computed.
        package var threads: Int
        /// The use of the GPU; nil where no layers were asked for.
        package var gpu: DeviceUse?
    }

    /// Runs the measurement on the calling thread.
    ///
    /// - Throws: `GGUFError`, `TokenizerError` or ``EngineError``.
    package static func run(path: String, options: Options = Options()) throws -> Report {
        try validate(options)
        let clock = ContinuousClock()
        let start = clock.now
        let runner = try runner(path: path, options)
        let load = (clock.now - start).seconds
        let tokens = prompt(options.length, vocabularySize: runner.vocabularySize)
        _ = try runner.run(tokens[..<1], wanted: .last)
        let firstToken = (clock.now - start).seconds

        runner.reset()
        try prefill(runner, tokens[..<min(64, options.prompt)])
        var prefillRates: [Double] = []
        var decodeRates: [Double] = []
        for _ in 0..<options.repetitions {
            runner.reset()
            let seconds = try clock.measure { try prefill(runner, tokens[..<options.prompt]) }.seconds
            prefillRates.append(Double(options.prompt) / seconds)
        }
        for _ in 0..<options.repetitions {
            runner.reset()
            if options.depth > 0 { try prefill(runner, tokens[..<options.depth]) }
            let seconds = try clock.measure { try decode(runner, tokens, options) }.seconds
            decodeRates.append(Double(options.generate) / seconds)
        }
        let memory = ProcessMemory.current()
        let together = try options.sequences > 1 ? decodeTogether(runner, tokens, options) : nil
        return Report(
            loadMilliseconds: load * 1000, firstTokenMilliseconds: firstToken * 1000,
            prefillTokensPerSecond: median(prefillRates), decodeTokensPerSecond: median(decodeRates),
            sequencesTokensPerSecond: together, peakResidentBytes: memory.peakResident,
            privateResidentBytes: memory.privateResident,
            threads: runner.pass.kernels.threads, gpu: runner.gpu)
    }

    /// Loads the model for runs of `options.length` positions.
    private static func runner(path: String, _ options: Options) throws -> SynchronousRunner {
        try runner(model(path: path, options), options)
    }

    private static func model(path: String, _ options: Options) throws -> Model {
        try Model.load(path: path, useMmap: options.useMmap)
    }

    private static func runner(_ model: Model, _ options: Options) throws -> SynchronousRunner {
        guard options.length <= model.contextLimit else {
            throw EngineError.contextExceeded(needed: options.length, available: model.contextLimit)
        }
        return try SynchronousRunner(
            model: model, keyValueType: options.keyValueType, precision: options.precision,
            threads: options.threads ?? ThreadAdvisor.recommended, contextSize: options.length,
            gpuLayers: options.gpuLayers)
    }

    /// Decodes behind `options.depth` tokens, one token a pass.
    private static func decode(
        _ runner: SynchronousRunner, _ tokens: [TokenID], _ options: Options
    ) throws(EngineError) {
        for index in options.depth..<options.depth + options.generate {
            _ = try runner.run(tokens[index...index], wanted: .last)
        }
    }

    /// Decodes several sequences side by side and returns the tokens per second of all of them.
    private static func decodeTogether(
        _ runner: SynchronousRunner, _ tokens: [TokenID], _ options: Options
    ) throws -> Double {
        let clock = ContinuousClock()
        let rates = try (0..<options.repetitions).map { _ in
            let sequences = (0..<options.sequences).map { _ in runner.makeSequence() }
            let seconds = try clock.measure {
                for step in 0..<options.generate {
                    _ = try runner.run(
                        sequences.enumerated().map { index, sequence in
                            let at = (step + index) % tokens.count
                            return BatchSegment(sequence: sequence, tokens: tokens[at...at], wanted: .last)
                        })
                }
            }.seconds
            return Double(options.generate * options.sequences) / seconds
        }
        return median(rates)
    }

    /// Runs a prefill and a decode once and tells where their time went.
    ///
    /// - Throws: As ``run(path:options:)``.
    package static func profile(path: String, options: Options = Options()) throws -> ProfileReport {
        try validate(options)
        let clock = ContinuousClock()
        let model = try model(path: path, options)
        let runner = try runner(model, options)
        let tokens = prompt(options.length, vocabularySize: runner.vocabularySize)
        let limits = MachineLimits.measure(runner.pass.kernels, model: model.file)
        try prefill(runner, tokens[..<min(64, options.prompt)])

        let profile = OperationProfile()
        runner.reset()
        let kernels = runner.pass.kernels
        kernels.recorder = profile
        kernels.measureThreads(true)
        defer { kernels.measureThreads(false) }
        let prefillSeconds = try clock.measure { try prefill(runner, tokens[..<options.prompt]) }.seconds
        let prefillPhase = ProfileReport.Phase(
            seconds: prefillSeconds, profile, limits: limits, threads: kernels.threadTimes)

        runner.reset()
        kernels.recorder = nil
        if options.depth > 0 { try prefill(runner, tokens[..<options.depth]) }
        profile.reset()
        kernels.recorder = profile
        kernels.measureThreads(true)
        let decodeSeconds = try clock.measure { try decode(runner, tokens, options) }.seconds
        let decodePhase = ProfileReport.Phase(
            seconds: decodeSeconds, profile, limits: limits, threads: kernels.threadTimes)
        return ProfileReport(limits: limits, prefill: prefillPhase, decode: decodePhase, reading: .current())
    }

    private static func validate(_ options: Options) throws(EngineError) {
        for (value, name, least) in [
            (options.prompt, "prompt", 1), (options.generate, "generate", 1), (options.repetitions, "repetitions", 1),
            (options.depth, "depth", 0), (options.sequences, "sequences", 1),
        ] where value < least {
            throw EngineError(.invalidOption, "\(name) is \(value): it has to be \(least) or more", field: name)
        }
        var engine = EngineOptions()
        engine.threads = options.threads
        _ = try engine.validated()
    }

    /// Spread over the vocabulary, always the same.
    static func prompt(_ count: Int, vocabularySize: Int) -> [TokenID] {
        let span = max(vocabularySize * 9 / 10, 1)
        let offset = min(300, vocabularySize - span)
        return (0..<count).map { TokenID($0 * 7919 % span + offset) }
    }

    private static func prefill(_ runner: SynchronousRunner, _ tokens: ArraySlice<TokenID>) throws(EngineError) {
        let chunk = EngineOptions().prefillChunk
        var start = tokens.startIndex
        while start < tokens.endIndex {
            let end = min(start + chunk, tokens.endIndex)
            _ = try runner.run(tokens[start..<end], wanted: end == tokens.endIndex ? .last : .none, isPrompt: true)
            start = end
        }
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
