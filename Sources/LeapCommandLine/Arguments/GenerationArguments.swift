import ArgumentParser
import Foundation
import LeapCompute
import LeapCore
import LeapEngine
import LeapModel
import LeapModelDownloader
import LeapSDK

/// Options of loading a model, which `run` and `chat` share.
struct LoadingArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: "CPU threads, 1 to 1024 (default: the machine's performance cores).")
    var threads: Int?

    @Option(parsing: .unconditional, help: "Context size in tokens, 1 or more (default: the model's own).")
    var context: Int?

    @Option(help: "Element type of the KV cache: f16, f32, or q8_0, which takes 0.53 times the memory of f16.")
    var kv: KeyValueType = .f16

    @Option(
        help:
            "Input precision of matrix products: fast, or exact (slower), which gives the float model's answers."
    )
    var precision: Precision = .fast

    @Option(
        help:
            "Layers to run on a GPU: all, or the number of last layers (default: none). The GPU runs an image encoder too."
    )
    var gpu: GPULayersArgument?

    @Flag(
        name: .customLong("audio-decoder-gpu"),
        help: "Run the layers of an audio decoder and of an image encoder on a GPU.")
    var audioDecoderGPU = false

    @Option(
        help:
            "A smaller model of the same family, or a drafter for this model (DSpark, DFlash, MTP layers), that proposes tokens for it to check; written like MODEL."
    )
    var draftModel: ModelArgument?

    @Option(help: DraftLayerUse.help)
    var draftLayers: DraftLayerUse = .automatic

    @Option(
        help: "The file with the image or audio encoder (mmproj; default: the one next to the model).",
        completion: .file(extensions: ["gguf"]))
    var projector: String?

    @Flag(name: .customLong("no-mmap"), help: "Read the whole file into memory instead of mapping it.")
    var noMmap = false

    @Option(
        help: "Keep the computed state of prompts in this directory, and reuse it for prompts that begin the same way.",
        completion: .directory)
    var cache: String?

    @Option(
        parsing: .unconditional,
        help: "With --cache: keep at most this many prompts in the directory, 1 to 1000000 (default: 4096).")
    var cacheEntries: Int?

    @Option(
        name: .customLong("adapter"),
        help: "Load this LoRA adapter (GGUF) with the model, as FILE or FILE:SCALE. Repeatable.",
        completion: .file(extensions: ["gguf"]))
    var adapters: [AdapterArgument] = []

    func validate() throws {
        try CountRange.threads.check(threads, "--threads")
        try CountRange.context.check(context, "--context")
        try CountRange(1...1_000_000).check(cacheEntries, "--cache-entries")
        if cacheEntries != nil, cache == nil {
            throw ValidationError("--cache-entries has no effect without --cache DIR")
        }
    }

    private var projectorPath: String? { projector.map { ($0 as NSString).expandingTildeInPath } }

    /// Returns those of these options that have no property of their own in the loading options.
    private func further(_ pictures: ImageArguments?) async throws -> LoadExtras {
        var further = LoadExtras()
        further.keyValueType = kv
        further.precision = precision
        further.draftLayers = draftLayers
        further.adapters = adapters.map(\.request)
        further.pictures = pictures?.options ?? ImageOptions()
        if let draftModel {
            further.speculation = SpeculationLoading(draftModel: try await draftModel.files().modelPath)
        }
        return further
    }

    /// Loads the model with these options.
    ///
    /// - Parameter pictures: how pictures are sized and cut, of commands that have options for it.
    func load(_ model: ModelArgument, pictures: ImageArguments? = nil) async throws -> any ModelRunner {
        let cacheOptions = try cache.map { try CacheDirectory.options($0, entries: cacheEntries) }
        let further = try await further(pictures)
        let cpuThreads = threads.map { UInt32($0) }
        let contextSize = context.map { UInt32($0) }
        switch try model.place() {
        case .file(let url):
            return try await Leap.load(
                url: url,
                options: LiquidInferenceEngineOptions(
                    bundlePath: url.path, cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
                    nGpuLayers: gpu?.count, mmProjPath: projectorPath, audioDecoderUseGpu: audioDecoderGPU,
                    useMmap: !noMmap
                ).with(further: further))
        case .model(let reference):
            // Through its manifest, which knows its template, its companions and the sampling it was tuned for.
            let installed = try await ModelNames.installed(reference)
            return try await ModelNames.downloader.load(
                installed,
                options: LiquidInferenceEngineManifestOptions(
                    cacheOptions: cacheOptions, cpuThreads: cpuThreads, contextSize: contextSize,
                    nGpuLayers: gpu?.count, mmProjPath: projectorPath, audioDecoderUseGpu: audioDecoderGPU,
                    useMmap: !noMmap
                ).with(further: further))
        }
    }
}

extension KeyValueType: ExpressibleByArgument {}
extension Precision: ExpressibleByArgument {}

/// Options of sampling, which `run` and `chat` share.
struct SamplingArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Stop after this many tokens (default: until the model ends or the context is full).")
    var maxTokens: Int32?

    @Option(parsing: .unconditional, help: "Randomness; 0 always takes the most likely token.")
    var temperature: Float?

    @Option(parsing: .unconditional, help: "Sample from the K most likely tokens; 0 is all.")
    var topK: Int32?

    @Option(parsing: .unconditional, help: "Sample from the most likely tokens that together reach this probability.")
    var topP: Float?

    @Option(parsing: .unconditional, help: "Leave out tokens less likely than this share of the most likely one.")
    var minP: Float?

    @Option(parsing: .unconditional, help: "Make the last 64 tokens less likely to repeat; 1 is off.")
    var repetitionPenalty: Float?

    @Option(parsing: .unconditional, help: "Seed of the random choice; the same seed gives the same text.")
    var seed: Int64?

    @Option(
        parsing: .unconditionalSingleValue,
        help: "End the answer before this text. Repeatable.")
    var stop: [String] = []

    @Option(help: ThinkingArgument.help)
    var thinking = ThinkingArgument.off

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Tokens that the model may think, 0 or more (default: no limit).", valueName: "number"))
    var thinkingBudget: Int?

    @Option(
        help: ArgumentHelp(
            "Text that ends the thinking at --thinking-budget; empty for none (default: as the model's family has).",
            valueName: "text"))
    var thinkingBudgetMessage: String?

    @Option(
        help: "Tool call syntax: \(CallStyleArgument.names.joined(separator: ", ")); auto takes it from the model.")
    var callStyle = CallStyleArgument.automatic

    func validate() throws {
        if let thinkingBudget, thinkingBudget < 0 {
            throw ValidationError("--thinking-budget is \(thinkingBudget); expected 0 or more")
        }
    }

    /// The same as the API's options.
    func generationOptions() -> GenerationOptions {
        let options = GenerationOptions()
        options.temperature = temperature
        options.topK = topK
        options.topP = topP
        options.minP = minP
        options.repetitionPenalty = repetitionPenalty
        options.rngSeed = seed
        options.maxTokens = maxTokens
        options.enableThinking = thinking.isAsked
        options.thinkingBudget = thinkingBudget
        options.thinkingBudgetMessage = thinkingBudgetMessage
        options.stopSequences = stop
        options.functionCallParser = callStyle.parser
        return options
    }
}
