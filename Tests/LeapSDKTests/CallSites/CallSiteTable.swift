/// The versions of the LEAP SDK whose call sites have to compile here.
enum Version: String, CaseIterable {
    /// Model loading, 0.10.6.
    case loading = "0.10.6"
    /// Conversation and generation, and the agent guide, 0.10.
    case conversation = "0.10"
    /// The API specification of 0.7.
    case specification = "0.7"
    /// The API specification before 0.7.
    case older = "before 0.7"
}

/// What one function of this folder shows to compile.
struct CallSite {
    /// The function, by its name in this folder.
    let function: String
    /// What it calls: labels in order, trailing closures, pattern matches.
    let signature: String
    /// Where apps have it from.
    let version: Version

    init(_ function: String, _ signature: String, _ version: Version) {
        self.function = function
        self.signature = signature
        self.version = version
    }
}

/// Every call site of this folder; a function without a row, or a row without a function, fails a test.
let callSites: [CallSite] = [
    CallSite("loadFromFile", "Leap.load(url:)", .specification),
    CallSite(
        "loadWithThreadsThenContext", "LiquidInferenceEngineOptions(bundlePath:cpuThreads:contextSize:)", .specification
    ),
    CallSite(
        "loadWithCompanions", "Leap.load(url:options:autoDetectCompanionFiles:), (bundlePath:mmProjPath:)", .loading),
    CallSite("loadWithManifestOptions", "Leap.load(url:options: LiquidInferenceEngineManifestOptions)", .loading),
    CallSite("loadThroughShared", "Leap.shared.load(url:), .load(url:options:)", .loading),
    CallSite(
        "chainOptions", ".with(cpuThreads:).with(contextSize:).with(useMmap:).with(cacheOptions: .enabled(path:))",
        .loading),
    CallSite(
        "orderManifestOptions", "(contextSize:cpuThreads:), (cacheOptions:contextSize:), (contextSize:nGpuLayers:)",
        .loading),
    CallSite("offloadAllLayers", ".with(nGpuLayers: -1), (bundlePath:nGpuLayers: -1)", .loading),
    CallSite(
        "capTheCache",
        "LiquidCacheOptions(path:maxEntries:enabled:maxEntriesDisk:maxEntriesMemory:maxBytesMemory:diskDisabled:)",
        .loading),
    CallSite(
        "overrideSampling",
        "GenerationTimeParameters(samplingParameters:numberOfDecodingThreads:), SamplingParameters(…)", .loading),

    CallSite("loadByName", "Leap.load(model:quantization:options:) { fraction, bytesPerSecond in }", .loading),
    CallSite(
        "loadByNameWithLabels", "Leap.load(model:quantization:progress:), (…downloadProgress:), Leap.shared.load(…)",
        .loading),
    CallSite(
        "loadByManifest", "Leap.load(manifestUrl:), (manifestUrl:options:progress:), (manifestUrl:downloadProgress:)",
        .loading),
    CallSite(
        "downloaderLoads",
        "LeapDownloader(config:).loadModel(modelName:quantizationType:options:…forceDownload:) { fraction, _ in }",
        .loading),
    CallSite(
        "sideload",
        "loadSimpleModel(model: ModelSource(modelPath:mmprojPath:audioDecoderPath:audioTokenizerPath:modelName:quantizationId:))",
        .loading),
    CallSite(
        "prefetch",
        "downloadModel, requestDownloadModel, requestStopDownload, queryStatus, removeModel, observeDownloadProgress",
        .loading),
    CallSite("prefetchByManifest", "the same with manifestUrl: NSURL, and downloadModelFromManifest", .loading),
    CallSite(
        "lookUp",
        "getModelResourceFolder, getCachedManifest, getCachedFilePath, getAvailableDiskSpace, DownloadedModelManifest",
        .loading),

    CallSite(
        "streamSealed", "for try await … generateResponse(message:generationOptions:), switch onEnum(of:)",
        .conversation),
    CallSite("streamSome", "generateResponse(message:), switch onEnum(of:) with default", .conversation),
    CallSite("readParts", "if case let .text(t) = onEnum(of: part)", .conversation),
    CallSite("chainGenerationOptions", "GenerationOptions().with(temperature:)….with(jsonSchema:)", .conversation),
    CallSite(
        "nameEveryOption", "GenerationOptions(temperature:minP:repetitionPenalty:), properties set one by one",
        .conversation),
    CallSite("exportText", "let text: String = conversation.exportToJSON()", .conversation),
    CallSite(
        "useProtocols", "ModelRunner and Conversation without `any`: every requirement, SkieSwiftFlow<MessageResponse>",
        .conversation),
    CallSite(
        "continueAfterTools", "createConversationFromHistory(history: history + toolMessages), an empty user turn",
        .conversation),
    CallSite(
        "composeMessages", "ChatMessage(role:content: [.text, .image]), .audio, fromFloatSamples(_:sampleRate:)",
        .conversation),

    CallSite(
        "streamCases", "switch response { case .chunk(let text) … case .audioSample(let samples, let sampleRate) … }",
        .specification),
    CallSite(
        "generateWithCallbacks",
        "runner.generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)", .specification),
    CallSite(
        "generateWithCallback", "conversation.generateResponse(message:) { response in }, handler?.stop()",
        .specification),
    CallSite(
        "constrainToType", "var options = GenerationOptions(temperature:topP:); try options.setResponseFormat(type:)",
        .specification),
    CallSite(
        "exportObjects", "let payload: [[String: Any]] = try conversation.exportToJSON(), ChatMessage(from:)",
        .specification),
    CallSite(
        "chooseParser", "functionCallParser: LFMFunctionCallParser(), HermesFunctionCallParser(), nil", .specification),
    CallSite(
        "describeFunction", "LeapFunction, LeapFunctionParameter, every LeapFunctionParameterType", .specification),
    CallSite(
        "catchErrors", "catch LeapError.modelLoadingFailure, switch error { case .generationFailure: }", .specification),

    CallSite("makeConversation", "Conversation(modelRunner:history:)", .older),
    CallSite(
        "streamOlder", "for await … generateResponse(message:options:), case .complete(let usage, let info)", .older),
    CallSite("olderReasons", "case .exceed_context", .older),
    CallSite(
        "throwOlderErrors", "throw LeapError.loadModelFailure, .modelLoadingFailure(_:_:), .serializationFailure(_:_:)",
        .older),
]
