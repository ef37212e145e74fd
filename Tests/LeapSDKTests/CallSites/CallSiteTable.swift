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
    /// The pages of 0.10.8 and 0.10.9, their example apps, and apps that ship with them.
    case later = "0.10.9"
    /// Apps for 0.7 to 0.9 and for 0.10.0 to 0.10.5.
    case earlier = "0.7 to 0.10.5"
}

/// A call that one function of this folder shows to compile.
struct CallSite {
    /// The function, by its name in this folder.
    let function: String
    /// The signature that it calls: labels in order, trailing closures, pattern matches.
    let signature: String
    /// The version of the documents that apps have it from.
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

    CallSite(
        "configureDownloader",
        "LeapDownloaderConfig.with(saveDir:…), (saveDir:validateSha256:disableSslValidation:baseUrl:connectTimeoutMillis:…)",
        .later),
    CallSite(
        "loadWithParameters",
        "Leap.load(url:generationTimeParameters:), Leap.shared.load(url:options:generationTimeParameters:autoDetectCompanionFiles:)",
        .later),
    CallSite("loadWithParametersByName", "Leap.load(model:quantization:options:generationTimeParameters:) { }", .later),
    CallSite(
        "orderFully",
        "LiquidInferenceEngineOptions(…audioDecoderPath:chatTemplate:audioTokenizerPath:audioDecoderUseGpu:useMmap:extras:)",
        .later),
    CallSite(
        "orderFullyForManifests",
        "LiquidInferenceEngineManifestOptions(… nGpuLayers: -1 …), (…audioDecoderPath:audioDecoderUseGpu:audioTokenizerPath:)",
        .later),
    CallSite("loadByNSURL", "loadModel(manifestUrl: NSURL), getCachedManifest(manifestUrl: NSURL)", .loading),
    CallSite("answerCalls", "await calls.asyncMap { call in … }", .conversation),
    CallSite("catchSerialization", "catch let error as LeapSerializationError", .later),
    CallSite("appendPositionally", "conversation.appendToHistory(message)", .loading),
    CallSite(
        "composeWithoutTry", "options.setResponseFormat(type:), ChatMessageContent.fromWAVData(data), without try",
        .later),
    CallSite("keepManifest", "JSONDecoder().decode(Manifest.self, from:), JSONEncoder().encode(manifest)", .loading),
    CallSite("reportLoads", "downloadProgress: a stored (Double, Int64) -> Void, in Swift 6", .loading),
    CallSite("reportLoadsOnTheMainActor", "the same in a type of the main actor", .loading),
    CallSite("registerBothWays", "an app's Conversation with either spelling of registerFunction", .conversation),
    CallSite(
        "callBack", "an app's Conversation without generateResponse(message:generationOptions:onResponse:)",
        .conversation),
    CallSite("callBackThroughRunner", "an app's ModelRunner without generateResponse(conversation:…)", .conversation),

    CallSite(
        "downloadByEarlierLabels", "loadModel(model:quantization:), downloadModel, queryStatus and so on", .earlier),
    CallSite("loadByLoadingOptions", "loadModel(modelName:quantizationSlug:modelLoadingOptions:)", .earlier),
    CallSite(
        "downloadBySlugs",
        "loadModel(modelSlug:quantizationSlug:), downloadModelFromManifest(_:) { }, downloadModel(_:quantization:), localModelUrl",
        .earlier),
    CallSite("askWithoutWaiting", "queryStatus(manifestURL), try removeModel(fromManifestURL:)", .earlier),
    CallSite(
        "loadByEarlierLabels",
        "Leap.load(manifestURL:) { }, Leap.load(model:quantization:options:downloadProgressHandler:)",
        .earlier),
    CallSite(
        "loadFromOptions", "Leap.load(options:), (…audioDecoderPath:audioDecoderUseGpu:audioTokenizerPath:)", .earlier),
    CallSite("loadWithoutWaiting", "try Leap.load(options:)", .earlier),
    CallSite("nameTheCompatibilityLayer", "LiquidConversation, LiquidMessageResponse, LiquidEngine", .earlier),
    CallSite("describePlot", "@Generatable with CGFloat, [Int: T] and [enumeration: T]", .later),

    CallSite(
        "makeAssistant", "VoiceAssistantStore.widgetStateHolder, setModelProgress(fraction: Float, message:)", .later),
    CallSite("followAssistant", "state.statusType.name, state.statsText as String?", .later),
    CallSite(
        "labelWidget", "VoiceWidgetLabels(idle:…micCancelDescription:), VoiceWidgetColors.companion.Default", .later),
    CallSite(
        "converseByCompletionHandler",
        "VoiceConversation with __generateResponse(…completionHandler:) and reset() -> VoiceConversation",
        .later),
    CallSite(
        "converseByPage",
        "VoiceConversation with generateResponse(audioSamples:sampleRate:onAudioChunk: (KotlinFloatArray, KotlinInt) -> Void) async",
        .later),
    CallSite(
        "converseByInt32", "VoiceConversation with generateResponse(audioSamples:sampleRate: Int32, onAudioChunk:)",
        .later),
    CallSite("convertArrays", "LeapUi.ArrayConversionsKt, LeapUi.KotlinFloatArray, LeapUi.KotlinInt", .later),
    CallSite("makeByOldName", "LeapModelDownloader(), LeapModelDownloader.ModelDownloader()", .earlier),
    CallSite(
        "nameTypesByModule", "LeapModelDownloader.Conversation, .ModelRunner, .ChatMessage, .GenerationOptions", .later),
    CallSite("askForTheType", "ModelDownloader.ModelDownloadStatusType", .earlier),
    CallSite(
        "nameEventPayloads", "ChatCompletionEventDelta, ChatCompletionEventDone, ChatCompletionEventError", .later),
]
