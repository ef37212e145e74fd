// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// Apple's systems look for a privacy manifest in the bundle of every library; elsewhere it would make a bundle that nobody reads.
#if canImport(Darwin)
    let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
    let withoutPrivacyManifest: [String] = []
    // The code of kernels goes where devices run it.
    let (vulkanKernels, withoutVulkanKernels): ([Resource], [String]) = ([], ["Resources"])
    let (metalKernels, withoutMetalKernels): ([Resource], [String]) = ([.copy("Resources/metal.kernels")], [])
#else
    let privacyManifest: [Resource] = []
    let withoutPrivacyManifest = ["PrivacyInfo.xcprivacy"]
    let (vulkanKernels, withoutVulkanKernels): ([Resource], [String]) = ([.copy("Resources/vulkan.kernels")], [])
    let (metalKernels, withoutMetalKernels): ([Resource], [String]) = ([], ["Resources"])
#endif

extension Target {
    /// A module that apps link, with the privacy manifest in its folder.
    static func appLibrary(name: String, dependencies: [Dependency], resources: [Resource] = []) -> Target {
        .target(
            name: name, dependencies: dependencies, exclude: withoutPrivacyManifest,
            resources: resources + privacyManifest)
    }
}

// The layers, from the lowest up. A target may depend only on targets above it.
let package = Package(
    name: "open-leap",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        // products: begin
        .executable(name: "leap", targets: ["leap"]),
        .executable(name: "leap-server", targets: ["leap-server"]),
        .executable(name: "leap-tools", targets: ["leap-tools"]),
        .library(name: "LeapCore", targets: ["LeapCore"]),
        .library(name: "LeapSDK", targets: ["LeapSDK"]),
        .library(name: "LeapSDKMacros", targets: ["LeapSDKMacros"]),
        .library(name: "LeapDemoModel", targets: ["LeapDemoModel"]),
        .library(name: "LeapVisionDemoModel", targets: ["LeapVisionDemoModel"]),
        .library(name: "LeapAudioDemoModel", targets: ["LeapAudioDemoModel"]),
        .library(name: "LeapDecisionDemoModel", targets: ["LeapDecisionDemoModel"]),
        .library(name: "LeapOpenAIClient", targets: ["LeapOpenAIClient"]),
        .library(name: "LeapHybrid", targets: ["LeapHybrid"]),
        .library(name: "LeapFoundationModels", targets: ["LeapFoundationModels"]),
        .library(name: "LeapDecisions", targets: ["LeapDecisions"]),
        .library(name: "LeapUI", targets: ["LeapUi"]),
        .library(name: "LeapUiTesting", targets: ["LeapUiTesting"]),
        .library(name: "LeapModelDownloader", targets: ["LeapModelDownloader"]),
        .library(name: "LeapGGUF", targets: ["LeapGGUF"]),
        .library(name: "LeapTokenizer", targets: ["LeapTokenizer"]),
        .library(name: "LeapTemplate", targets: ["LeapTemplate"]),
        .library(name: "LeapGrammar", targets: ["LeapGrammar"]),
        // products: end
    ],
    traits: [
        .trait(name: "ModelService", description: "Downloaders use the model service where one runs."),
        .trait(
            name: "Server", description: "The HTTP server of leap serve, with Hummingbird.",
            enabledTraits: ["ModelService"]),
        .trait(
            name: "TLS", description: "HTTPS of leap serve, with BoringSSL, and the server.",
            enabledTraits: ["Server"]),
        .trait(
            name: "LEAPReplies",
            description:
                "Replies as version 0.10.8 of the LEAP SDK has them: MessageResponse is a protocol, and errors are elements."
        ),
        .default(enabledTraits: ["ModelService"]),
    ],
    dependencies: [
        // dependencies: begin
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.12.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.6.0"),
        // dependencies: end
    ],
    targets: [
        .appLibrary(
            name: "LeapDemoModel", dependencies: ["LeapBase"], resources: [.copy("Resources/leap-demo-Q8_0.gguf")]),
        .appLibrary(
            name: "LeapVisionDemoModel", dependencies: ["LeapBase"],
            resources: [
                .copy("Resources/leap-vision-demo-Q6_K.gguf"), .copy("Resources/mmproj-leap-vision-demo-Q8_0.gguf"),
                .copy("Resources/shapes.png"), .copy("Resources/number.png"), .copy("Resources/chart.png"),
            ]),
        .appLibrary(
            name: "LeapAudioDemoModel", dependencies: ["LeapBase"],
            resources: [
                .copy("Resources/leap-audio-demo-Q8_0.gguf"), .copy("Resources/mmproj-leap-audio-demo-Q8_0.gguf"),
                .copy("Resources/vocoder-leap-audio-demo-Q8_0.gguf"),
                .copy("Resources/lamp.wav"), .copy("Resources/sum.wav"), .copy("Resources/whereabouts.wav"),
            ]),
        .appLibrary(
            name: "LeapDecisionDemoModel", dependencies: ["LeapBase"],
            resources: [
                .copy("Resources/leap-decision-demo-labels-Q8_0.gguf"),
                .copy("Resources/leap-decision-demo-masks-Q8_0.gguf"),
            ]),

        // LeapBase: begin
        .target(name: "LeapBase"),
        .target(
            name: "LeapTestSupport",
            dependencies: ["LeapBase", "LeapGGUF", .product(name: "Logging", package: "swift-log")],
            path: "Tests/LeapTestSupport"),
        // Apart from LeapTestSupport, which programs link, as these need the library of tests.
        .target(name: "LeapTestTraits", dependencies: ["LeapTestSupport"], path: "Tests/LeapTestTraits"),
        .testTarget(name: "LeapBaseTests", dependencies: ["LeapBase", "LeapTestSupport"]),
        // LeapBase: end

        // LeapJSON: begin
        .target(name: "LeapJSON", dependencies: ["LeapBase"]),
        .testTarget(name: "LeapJSONTests", dependencies: ["LeapJSON", "LeapTestSupport"]),
        // LeapJSON: end

        // LeapOpenAIFormat: begin
        // The format of OpenAI's chat completions, for the client, the server and the messages of apps.
        .target(name: "LeapOpenAIFormat", dependencies: ["LeapJSON"]),
        // LeapOpenAIFormat: end

        // CLeapKernels: begin
        .target(name: "CLeapTensorTypes"),
        .target(
            name: "CLeapKernels", dependencies: ["CLeapTensorTypes"],
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]
        ),
        .target(name: "LeapHashing", dependencies: ["CLeapKernels"]),
        .testTarget(
            name: "CLeapKernelsTests",
            dependencies: ["CLeapKernels", "CLeapTensorTypes", "LeapBase", "LeapHashing", "LeapTestSupport"],
            exclude: ["Fixtures"]),
        // CLeapKernels: end

        // LeapGGUF: begin
        .appLibrary(name: "LeapGGUF", dependencies: ["CLeapTensorTypes", "LeapBase"]),
        .testTarget(name: "LeapGGUFTests", dependencies: ["LeapGGUF", "LeapTestSupport"]),
        // LeapGGUF: end

        // LeapTokenizer: begin
        .appLibrary(name: "LeapTokenizer", dependencies: ["LeapBase", "LeapGGUF"]),
        .testTarget(
            name: "LeapTokenizerTests", dependencies: ["LeapBase", "LeapGGUF", "LeapTestSupport", "LeapTokenizer"],
            exclude: ["Fixtures"]),
        // LeapTokenizer: end

        // LeapTemplate: begin
        .appLibrary(name: "LeapTemplate", dependencies: ["LeapBase", "LeapJSON"]),
        .executableTarget(name: "leap-template-tool", dependencies: ["LeapTemplate"], path: "Sources/LeapTemplateTool"),
        .testTarget(
            name: "LeapTemplateTests", dependencies: ["LeapTemplate", "LeapTestSupport"],
            exclude: ["Conversations", "Goldens"]),
        // LeapTemplate: end

        // LeapGrammar: begin
        .appLibrary(name: "LeapGrammar", dependencies: ["LeapBase", "LeapJSON"]),
        .executableTarget(
            name: "leap-grammar-probe", dependencies: ["LeapGrammar"], path: "Tests/leap-grammar-probe"),
        .testTarget(
            name: "LeapGrammarTests",
            dependencies: ["LeapGrammar", "LeapJSON", "LeapTestSupport", "leap-grammar-probe"]),
        // LeapGrammar: end

        // LeapVision: begin
        .target(name: "LeapVision", dependencies: ["CLeapKernels", "LeapBase"]),
        .executableTarget(
            name: "leap-vision-probe", dependencies: ["LeapBase", "LeapTestSupport", "LeapVision"],
            path: "Tests/leap-vision-probe"),
        .testTarget(
            name: "LeapVisionTests",
            dependencies: ["CLeapKernels", "LeapBase", "LeapTestSupport", "LeapVision", "leap-vision-probe"],
            exclude: ["Fixtures"]),
        // LeapVision: end

        // LeapAudio: begin
        .target(name: "LeapAudio", dependencies: ["LeapBase"]),
        .executableTarget(
            name: "leap-audio-probe", dependencies: ["LeapAudio", "LeapBase", "LeapTestSupport"],
            path: "Tests/leap-audio-probe"),
        .testTarget(
            name: "LeapAudioTests", dependencies: ["LeapAudio", "LeapBase", "LeapTestSupport", "leap-audio-probe"],
            exclude: ["Fixtures"]),
        // LeapAudio: end

        // LeapEngine: begin
        // What a model is, and what its prompts and replies have beside tokens: data only.
        .target(name: "LeapModel", dependencies: ["LeapBase", "LeapGGUF", "LeapTokenizer"]),
        // The seam between what schedules and what computes.
        .target(name: "LeapCompute", dependencies: ["LeapGGUF", "LeapBase", "LeapModel", "LeapTokenizer"]),
        // How the processor computes a model: all of the engine that knows the kernels.
        .target(
            name: "LeapCPU",
            dependencies: ["CLeapKernels", "LeapBase", "LeapCompute", "LeapGGUF", "LeapModel", "LeapTokenizer"]),
        // GPU: begin
        // Kernels, devices that run them, and the layers that they compute. Drivers are opened at run time: nothing is linked.
        .target(name: "CLeapVulkan"),
        .target(
            name: "LeapGPU",
            dependencies: ["CLeapVulkan", "LeapBase", "LeapCompute", "LeapGGUF", "LeapModel"],
            exclude: ["Kernels"] + withoutVulkanKernels, resources: vulkanKernels),
        // Elsewhere than on Apple's systems a module without declarations; see the end of this file.
        .target(
            name: "LeapMetal", dependencies: ["LeapBase", "LeapGPU"], exclude: withoutMetalKernels,
            resources: metalKernels),
        // The processor, and a GPU of the system that computes the last layers beside it.
        .target(
            name: "LeapDevices",
            dependencies: ["LeapCPU", "LeapCompute", "LeapGGUF", "LeapGPU", "LeapMetal", "LeapModel"]),
        .testTarget(
            name: "LeapGPUTests",
            dependencies: [
                "CLeapKernels", "CLeapVulkan", "LeapBase", "LeapCPU", "LeapCompute", "LeapDemoModel", "LeapDevices",
                "LeapEngine", "LeapGGUF", "LeapGPU", "LeapHashing", "LeapModel", "LeapTestSupport", "LeapTokenizer",
            ]),
        // GPU: end
        .target(
            name: "LeapEngine",
            dependencies: [
                "LeapAudio", "LeapBase", "LeapCompute", "LeapGGUF", "LeapHashing", "LeapModel", "LeapTokenizer",
            ]),
        .testTarget(
            name: "LeapEngineTests",
            dependencies: [
                "CLeapKernels", "LeapAudio", "LeapBase", "LeapCPU", "LeapCompute", "LeapDevices", "LeapEngine",
                "LeapGGUF", "LeapMeasurement", "LeapModel", "LeapTestSupport", "LeapTestTraits", "LeapTokenizer",
                "LeapVision",
            ]),
        // LeapEngine: end

        // LeapMeasurement: begin
        // Benchmarks and evaluation, for `leap` and tests: no product that apps link depends on it.
        .target(name: "CLeapMeasurement", dependencies: ["CLeapKernels"]),
        .target(
            name: "LeapMeasurement",
            dependencies: [
                "CLeapKernels", "CLeapMeasurement", "LeapBase", "LeapCPU", "LeapCompute", "LeapDevices", "LeapModel",
                "LeapEngine", "LeapGGUF", "LeapGPU", "LeapGrammar", "LeapJSON",
                "LeapTokenizer",
            ]),
        // LeapMeasurement: end

        // The API: begin
        // Messages, functions, prompts and options: what a conversation is made of. It knows no engine.
        .appLibrary(
            name: "LeapChat",
            dependencies: [
                "LeapAudio", "LeapBase", "LeapGGUF", "LeapGrammar", "LeapHashing", "LeapJSON", "LeapModel",
                "LeapOpenAIFormat", "LeapTemplate", "LeapTokenizer", "LeapVision",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Models that are loaded, and conversations with them.
        .appLibrary(
            name: "LeapCore",
            dependencies: [
                "LeapAudio", "LeapBase", "LeapCPU", "LeapChat", "LeapCompute", "LeapDevices", "LeapEngine", "LeapGGUF",
                "LeapJSON", "LeapModel", "LeapOpenAIFormat", "LeapTokenizer", "LeapVision",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "LeapCoreTests",
            dependencies: [
                "LeapChat", "LeapCompute", "LeapEngine", "LeapModel", "LeapTemplate",
                "LeapAudio", "LeapBase", "LeapCore", "LeapDemoModel", "LeapGGUF", "LeapGrammar", "LeapJSON",
                "LeapTestSupport", "LeapTestTraits", "LeapTokenizer", "LeapVision", "leap-soak",
            ]),
        // Runs for minutes; by hand, and briefly in LeapCoreTests.
        .executableTarget(name: "leap-soak", dependencies: ["LeapCore", "LeapDemoModel"], path: "Tests/leap-soak"),
        // The API: end

        // HTTP: begin
        .target(name: "CLeapHTTP"),
        .target(name: "LeapHTTP", dependencies: ["CLeapHTTP", "LeapBase", "LeapJSON"]),
        .testTarget(
            name: "LeapHTTPTests", dependencies: ["LeapBase", "LeapHTTP", "LeapTestSupport", "LeapTestTraits"]),
        .appLibrary(
            name: "LeapOpenAIClient", dependencies: ["LeapBase", "LeapHTTP", "LeapJSON", "LeapOpenAIFormat"]),
        .testTarget(
            name: "LeapOpenAIClientTests",
            dependencies: [
                "LeapBase", "LeapHTTP", "LeapJSON", "LeapOpenAIClient", "LeapTestSupport", "LeapTestTraits",
                "MisbehavingServer",
                "leap-server",
            ]),
        // The client's side of the Model Context Protocol, and the messages of both sides.
        .target(name: "LeapMCP", dependencies: ["LeapBase", "LeapHTTP", "LeapJSON"]),
        .testTarget(
            name: "LeapMCPTests",
            dependencies: [
                "LeapBase", "LeapHTTP", "LeapJSON", "LeapMCP", "LeapTestSupport", "LeapTestTraits", "MisbehavingServer",
            ]),
        // HTTP: end

        // Hybrid: begin
        .appLibrary(
            name: "LeapHybrid",
            dependencies: [
                "LeapBase", "LeapChat", "LeapCore", "LeapJSON", "LeapModel", "LeapOpenAIClient", "LeapOpenAIFormat",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "LeapHybridTests",
            dependencies: [
                "LeapBase", "LeapCore", "LeapDemoModel", "LeapHybrid", "LeapJSON", "LeapSDK", "LeapTestSupport",
                "LeapTestTraits",
                "MisbehavingServer",
            ]),
        // Hybrid: end

        // FoundationModels: begin
        // Elsewhere than on Apple's systems a module without declarations; see the end of this file.
        .appLibrary(name: "LeapFoundationModels", dependencies: ["LeapBase", "LeapChat", "LeapCore", "LeapJSON"]),
        // FoundationModels: end

        // Decisions: begin
        // Without the package AnyDecisionModel a module without declarations; see the end of this file.
        .appLibrary(name: "LeapDecisions", dependencies: ["LeapChat", "LeapCore", "LeapJSON", "LeapModel"]),
        // The same sources, for tests, over a stub. Its name is its own: apps may have the package beside this one.
        .target(name: "AnyDecisionModelStub", path: "Tests/PackageStubs/AnyDecisionModelStub"),
        .target(
            name: "LeapDecisionsOverStub",
            dependencies: ["AnyDecisionModelStub", "LeapChat", "LeapCore", "LeapJSON", "LeapModel"],
            path: "Tests/PackageStubs/LeapDecisions", exclude: ["PrivacyInfo.xcprivacy"],
            swiftSettings: [.define("LEAP_DECISIONS_STUB")]),
        .testTarget(
            name: "LeapDecisionsTests",
            dependencies: [
                "AnyDecisionModelStub", "LeapChat", "LeapCore", "LeapDecisionsOverStub", "LeapJSON",
                "LeapTestSupport", "LeapTestTraits",
            ]),
        // Decisions: end

        // Macros: begin
        .macro(
            name: "LeapSDKMacrosPlugin",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]),
        // With LeapCore, which apps import beside the macros.
        .appLibrary(name: "LeapSDKMacros", dependencies: ["LeapChat", "LeapCore", "LeapSDKMacrosPlugin"]),
        // Without the plugin as a dependency: SwiftPM builds every test, and all it needs, a second time where one test imports a macro.
        .testTarget(name: "LeapSDKMacrosTests", dependencies: ["LeapChat", "LeapSDKMacros"]),
        // Macros: end

        // Downloads: begin
        .target(
            name: "LeapTransfers",
            dependencies: [
                "LeapBase", "LeapGGUF", "LeapHTTP", "LeapHashing", "LeapJSON",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Plain sockets: tests build no NIO.
        .target(name: "MisbehavingServer", dependencies: ["LeapBase"], path: "Tests/MisbehavingServer"),
        .executableTarget(
            name: "leap-transfer-probe", dependencies: ["LeapHTTP", "LeapTransfers", "MisbehavingServer"],
            path: "Tests/leap-transfer-probe"),
        .testTarget(
            name: "LeapTransfersTests",
            dependencies: [
                "LeapBase", "LeapGGUF", "LeapHTTP", "LeapHashing", "LeapJSON", "LeapTestSupport", "LeapTestTraits",
                "LeapTransfers",
                "MisbehavingServer", "leap-transfer-probe",
            ]),
        // The wire protocol of the model service, and an app's side of it.
        .target(
            name: "LeapService",
            dependencies: [
                "LeapBase", "LeapCore", "LeapModel", "LeapEngine", "LeapGGUF", "LeapTokenizer", "LeapTransfers",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .appLibrary(
            name: "LeapSDK",
            dependencies: [
                "LeapModel",
                "LeapBase", "LeapCore", "LeapGGUF", "LeapHTTP", "LeapJSON", "LeapTransfers",
                .target(name: "LeapService", condition: .when(traits: ["ModelService"])),
            ]),
        .testTarget(
            name: "LeapSDKTests",
            dependencies: [
                "LeapAudioDemoModel", "LeapDecisionDemoModel", "LeapSDK", "LeapSDKMacros", "LeapDemoModel", "LeapJSON",
                "LeapTestSupport", "LeapVisionDemoModel",
            ]),
        .appLibrary(name: "LeapModelDownloader", dependencies: ["LeapBase", "LeapHTTP", "LeapSDK", "LeapTransfers"]),
        .testTarget(
            name: "LeapModelDownloaderTests",
            dependencies: [
                "LeapBase", "LeapDemoModel", "LeapGGUF", "LeapHTTP", "LeapModelDownloader", "LeapTestSupport",
                "LeapTestTraits",
                "LeapTransfers", "MisbehavingServer",
            ]),
        // Downloads: end

        // Voice: begin
        .appLibrary(
            name: "LeapUi",
            dependencies: ["LeapAudio", "LeapBase", "LeapChat", "LeapCore", "LeapJSON", "LeapSDK", "LeapTransfers"]),
        // Devices, a conversation and a clock for tests of apps.
        .appLibrary(name: "LeapUiTesting", dependencies: ["LeapBase", "LeapChat", "LeapUi"]),
        .testTarget(
            name: "LeapUiTests",
            dependencies: [
                "LeapModel",
                "LeapAudio", "LeapAudioDemoModel", "LeapBase", "LeapCore", "LeapDemoModel", "LeapSDK",
                "LeapTestSupport", "LeapUi", "LeapUiTesting",
            ]),
        // Voice: end

        // The server: begin
        .target(
            name: "LeapServing",
            dependencies: [
                "LeapGrammar",
                "LeapAudio", "LeapBase", "LeapChat", "LeapCore", "LeapEngine", "LeapJSON", "LeapModel",
                "LeapOpenAIFormat", "LeapSDK", "LeapService", "LeapTokenizer",
                "LeapHTTP", "LeapMCP", "LeapTransfers", "LeapVision",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ], resources: [.copy("Resources/OpenAPI"), .copy("Resources/Page")]),
        .testTarget(
            name: "LeapServingTests",
            dependencies: [
                "LeapChat", "LeapGrammar", "LeapModel",
                "LeapAudio", "LeapAudioDemoModel", "LeapBase", "LeapServing", "LeapCore", "LeapDecisionDemoModel",
                "LeapDemoModel", "LeapEngine", "LeapGGUF", "LeapHTTP", "LeapHashing", "LeapHybrid", "LeapJSON",
                "LeapMCP",
                "LeapOpenAIClient", "LeapOpenAIFormat", "LeapSDK",
                "LeapTestSupport", "LeapTestTraits", "LeapTransfers", "LeapVisionDemoModel", "MisbehavingServer",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // A service and an app, as programs that tests can kill.
        .executableTarget(
            name: "leap-service-probe",
            dependencies: ["LeapBase", "LeapHTTP", "LeapSDK", "LeapService", "LeapServing", "LeapTransfers"],
            path: "Tests/leap-service-probe"),
        .testTarget(
            name: "LeapServiceTests",
            dependencies: [
                "LeapCompute",
                "LeapAudio", "LeapAudioDemoModel", "LeapBase", "LeapCore", "LeapDemoModel", "LeapSDK", "LeapService",
                "LeapServing", "LeapTestSupport", "LeapEngine", "LeapHTTP", "LeapModel", "LeapTransfers",
                "MisbehavingServer",
                "leap-service-probe",
            ]),
        // Without the trait it is a program that says how to build it: whoever does not want it compiles no HTTP server.
        .executableTarget(
            name: "leap-server",
            dependencies: [
                "LeapBase", "LeapCompute", "LeapCore", "LeapDemoModel", "LeapEngine", "LeapModel", "LeapSDK",
                "LeapService",
                "LeapServing", "LeapTransfers",
                "LeapAudioDemoModel", "LeapDecisionDemoModel", "LeapVisionDemoModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["TLS"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Server"])),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: .when(traits: ["Server"])),
            ]),
        // The server: end

        // The command line: begin
        // All commands; those of ToolCommand are carried out by leap-tools, and serve by leap-server.
        .target(
            name: "LeapCommandLine",
            dependencies: [
                "LeapBase", "LeapChat", "LeapCore", "LeapSDK", "LeapModelDownloader", "LeapTransfers", "LeapDemoModel",
                "LeapCPU", "LeapCompute", "LeapDevices", "LeapModel", "LeapEngine", "LeapGGUF", "LeapGPU",
                "LeapGrammar", "LeapHTTP", "LeapJSON", "LeapMCP", "LeapService",
                "LeapTemplate",
                "LeapAudio", "LeapAudioDemoModel", "LeapDecisionDemoModel", "LeapTokenizer", "LeapUi", "LeapVision",
                "LeapVisionDemoModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "leap", dependencies: ["LeapCommandLine"]),
        .executableTarget(
            name: "leap-tools",
            dependencies: [
                "LeapCompute",
                "LeapBase", "LeapCommandLine", "LeapCore", "LeapCPU", "LeapModel", "LeapEngine", "LeapGGUF",
                "LeapGrammar", "LeapJSON",
                "LeapMeasurement", "LeapSDK", "LeapServing", "LeapTokenizer", "LeapVision",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "LeapCommandTests",
            dependencies: [
                "LeapModel", "LeapSDK",
                "LeapAudioDemoModel", "LeapBase", "LeapCommandLine", "leap", "leap-tools", "LeapCore", "LeapDemoModel",
                "LeapEngine", "LeapGGUF", "LeapGPU", "LeapJSON", "LeapMCP",
                "LeapTestSupport", "LeapTokenizer", "LeapUi", "LeapUiTesting", "LeapVision", "LeapVisionDemoModel",
                "MisbehavingServer",
            ]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "LeapChat", "LeapCore", "LeapEngine", "LeapHybrid", "LeapModel", "LeapSDK", "LeapModelDownloader",
                "LeapOpenAIClient", "LeapSDKMacros",
                "LeapAudioDemoModel", "LeapDecisionDemoModel", "LeapDemoModel", "LeapGGUF", "LeapTokenizer",
                "LeapGrammar", "LeapTemplate", "LeapUi", "LeapUiTesting",
                "LeapVisionDemoModel",
            ]),
        // The command line: end

        // Tutorials: begin
        // The programs at the ends of the tutorials, of the very files that these show; a test runs them.
        .executableTarget(
            name: "tutorial-first-chat", dependencies: ["LeapDemoModel", "LeapSDK"],
            path: "docs/OpenLeap.docc/Programs/first-chat"),
        .executableTarget(
            name: "tutorial-pictures", dependencies: ["LeapSDK", "LeapSDKMacros", "LeapVisionDemoModel"],
            path: "docs/OpenLeap.docc/Programs/pictures"),
        .executableTarget(
            name: "tutorial-voice", dependencies: ["LeapAudioDemoModel", "LeapSDK", "LeapUi"],
            path: "docs/OpenLeap.docc/Programs/voice"),
        // Tutorials: end
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

// Where Apple's modules are missing, tests compile the same sources once more, over stubs of them: the folder of
// LeapFoundationModelsOverStub is a link to that of LeapFoundationModels. No product depends on a stub, so apps never see one.
#if !canImport(Darwin)
    package.targets += [
        .target(name: "FoundationModels", path: "Tests/AppleStubs/FoundationModels"),
        .target(
            name: "LeapFoundationModelsOverStub",
            dependencies: ["FoundationModels", "LeapBase", "LeapChat", "LeapCore", "LeapJSON"],
            path: "Tests/AppleStubs/LeapFoundationModels", exclude: withoutPrivacyManifest,
            swiftSettings: [.define("LEAP_APPLE_STUBS")]),
        // The same for LeapUi and LeapModelDownloader.
        .target(name: "UIKit", path: "Tests/AppleStubs/UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "Tests/AppleStubs/SwiftUI"),
        .target(name: "AVFAudio", dependencies: ["UIKit"], path: "Tests/AppleStubs/AVFAudio"),
        .target(name: "AVFoundation", dependencies: ["AVFAudio"], path: "Tests/AppleStubs/AVFoundation"),
        .target(name: "UserNotifications", path: "Tests/AppleStubs/UserNotifications"),
        .target(name: "BackgroundURLSession", path: "Tests/AppleStubs/BackgroundURLSession"),
        .target(name: "BackgroundAssets", path: "Tests/AppleStubs/BackgroundAssets"),
        .target(
            name: "LeapUiOverStubs",
            dependencies: [
                "AVFAudio", "AVFoundation", "LeapAudio", "LeapBase", "LeapChat", "LeapCore", "LeapJSON", "LeapSDK",
                "LeapTransfers", "SwiftUI", "UIKit",
            ],
            path: "Tests/AppleStubs/LeapUi", exclude: withoutPrivacyManifest,
            swiftSettings: [.define("LEAP_APPLE_STUBS")]),
        .target(
            name: "LeapModelDownloaderOverStubs",
            dependencies: [
                "BackgroundAssets", "BackgroundURLSession", "LeapBase", "LeapHTTP", "LeapSDK", "LeapTransfers",
                "UserNotifications",
            ],
            path: "Tests/AppleStubs/LeapModelDownloader", exclude: withoutPrivacyManifest,
            swiftSettings: [.define("LEAP_APPLE_STUBS")]),
        .testTarget(
            name: "LeapAppleTests",
            dependencies: [
                "AVFAudio", "BackgroundAssets", "BackgroundURLSession", "LeapBase", "LeapDemoModel", "LeapHTTP",
                "LeapModelDownloaderOverStubs", "LeapSDK", "LeapTransfers", "LeapUiOverStubs", "LeapTestTraits",
                "MisbehavingServer",
                "SwiftUI", "UserNotifications",
            ]),
        .target(name: "Metal", path: "Tests/AppleStubs/Metal", exclude: ["Emulation"]),
        // With UIKit's module, so that what depends on it is as on iOS in every build.
        .target(
            name: "LeapMetalOverStub", dependencies: ["LeapBase", "LeapGPU", "Metal", "UIKit"],
            path: "Tests/AppleStubs/LeapMetal", resources: [.copy("Resources/metal.kernels")],
            swiftSettings: [.define("LEAP_APPLE_STUBS")]),
        // Opens Metal's devices, as on Apple's systems.
        .target(
            name: "LeapDevicesOverStub",
            dependencies: ["LeapCPU", "LeapCompute", "LeapGGUF", "LeapGPU", "LeapMetalOverStub", "LeapModel"],
            path: "Tests/AppleStubs/LeapDevices",
            swiftSettings: [.define("LEAP_APPLE_STUBS"), .define("LEAP_METAL_STUB")]),
        // The tests of LeapGPUTests once more, on Metal: the folder is a link.
        .testTarget(
            name: "LeapMetalTests",
            dependencies: [
                "CLeapKernels", "LeapBase", "LeapCPU", "LeapCompute", "LeapDemoModel", "LeapDevices",
                "LeapDevicesOverStub", "LeapEngine", "LeapGGUF", "LeapGPU", "LeapHashing", "LeapMetalOverStub",
                "LeapModel", "LeapTestSupport", "LeapTokenizer", "Metal",
            ], swiftSettings: [.define("LEAP_METAL_TESTS")]),
        .testTarget(
            name: "LeapFoundationModelsTests",
            dependencies: [
                "FoundationModels", "LeapCore", "LeapDemoModel", "LeapFoundationModelsOverStub", "LeapJSON",
                "LeapTestSupport",
            ]),
    ]
#else
    package.targets.append(
        .testTarget(
            name: "LeapMetalTests",
            dependencies: [
                "CLeapKernels", "LeapBase", "LeapCPU", "LeapCompute", "LeapDemoModel", "LeapDevices", "LeapEngine",
                "LeapGGUF", "LeapGPU", "LeapHashing", "LeapMetal", "LeapModel", "LeapTestSupport", "LeapTokenizer",
            ], swiftSettings: [.define("LEAP_METAL_TESTS")]))
#endif

// AnyDecisionModel is no dependency of other builds: it needs OS 26 and SwiftPM 6.2, and it brings packages of its own.
if Context.environment["LEAP_ANY_DECISION_MODEL"] == "1" {
    package.platforms = [.macOS("26.0"), .iOS("26.0")]
    package.dependencies.append(.package(url: "https://github.com/mattt/AnyDecisionModel", from: "0.3.0"))
    for target in package.targets where target.name == "LeapDecisions" {
        target.dependencies.append(.product(name: "AnyDecisionModel", package: "AnyDecisionModel"))
        target.swiftSettings = [.define("LEAP_ANY_DECISION_MODEL")]
    }
}

// One set of language features for every target of ours. Imports say how far they reach; what a file uses, it imports.
for target in package.targets where target.type != .plugin {
    var features = ["InternalImportsByDefault", "MemberImportVisibility"]
    // Call sites in tests are written as apps write them, which need no `any`.
    if !["LeapModelDownloaderTests", "LeapSDKTests", "LeapUiTests"].contains(target.name) {
        features.append("ExistentialAny")
    }
    target.swiftSettings = (target.swiftSettings ?? []) + features.map { .enableUpcomingFeature($0) }
}
