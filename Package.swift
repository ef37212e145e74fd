// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// The rooms of the house, from the ground up. A target may depend only on targets above it.
let package = Package(
    name: "open-leap",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [
        // products: begin
        .executable(name: "leap", targets: ["leap"]),
        .library(name: "LeapSDK", targets: ["LeapSDK"]),
        .library(name: "LeapSDKMacros", targets: ["LeapSDKMacros"]),
        .library(name: "LeapDemoModel", targets: ["LeapDemoModel"]),
        .library(name: "LeapModelDownloader", targets: ["LeapModelDownloader"]),
        // products: end
    ],
    dependencies: [
        // dependencies: begin
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        // dependencies: end
    ],
    targets: [
        .target(name: "LeapDemoModel", resources: [.copy("Resources/leap-demo-Q8_0.gguf")]),

        // CLeapKernels: begin
        .target(
            name: "CLeapKernels",
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]
        ),
        .testTarget(name: "CLeapKernelsTests", dependencies: ["CLeapKernels"], exclude: ["Fixtures"]),
        // CLeapKernels: end

        // LeapGGUF: begin
        .target(name: "LeapGGUF"),
        .testTarget(name: "LeapGGUFTests", dependencies: ["LeapGGUF"]),
        // LeapGGUF: end

        // LeapTokenizer: begin
        .target(name: "LeapTokenizer", dependencies: ["LeapGGUF"]),
        .testTarget(name: "LeapTokenizerTests", dependencies: ["LeapGGUF", "LeapTokenizer"], exclude: ["Fixtures"]),
        // LeapTokenizer: end

        // LeapTemplate: begin
        .target(name: "LeapTemplate"),
        .executableTarget(name: "leap-template-tool", dependencies: ["LeapTemplate"], path: "Sources/LeapTemplateTool"),
        .testTarget(
            name: "LeapTemplateTests", dependencies: ["LeapTemplate"], exclude: ["Conversations", "Goldens"]),
        // LeapTemplate: end

        // LeapGrammar: begin
        .target(name: "LeapGrammar"),
        .testTarget(name: "LeapGrammarTests", dependencies: ["LeapGrammar"]),
        // LeapGrammar: end

        // LeapEngine: begin
        .target(name: "LeapEngine", dependencies: ["CLeapKernels", "LeapGGUF", "LeapTokenizer"]),
        .testTarget(name: "LeapEngineTests", dependencies: ["LeapEngine", "LeapGGUF", "LeapTokenizer"]),
        // LeapEngine: end

        // The API: begin
        .target(
            name: "LeapCore",
            dependencies: [
                "LeapEngine", "LeapGGUF", "LeapGrammar", "LeapTemplate", "LeapTokenizer",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "LeapSDK", dependencies: ["LeapCore"]),
        .testTarget(name: "LeapCoreTests", dependencies: ["LeapCore", "LeapDemoModel", "LeapGrammar"]),
        .testTarget(name: "LeapSDKTests", dependencies: ["LeapSDK", "LeapDemoModel"]),
        // The API: end

        // Macros: begin
        .macro(
            name: "LeapSDKMacrosPlugin",
            dependencies: [
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
            ]),
        .target(name: "LeapSDKMacros", dependencies: ["LeapCore", "LeapSDKMacrosPlugin"]),
        .testTarget(
            name: "LeapSDKMacrosTests",
            dependencies: [
                "LeapSDKMacros", "LeapSDKMacrosPlugin",
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
            ]),
        // Macros: end

        // Downloader: begin
        .target(
            name: "LeapTransfers",
            dependencies: [
                "LeapGGUF", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "MisbehavingServer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Tests/MisbehavingServer"),
        .executableTarget(
            name: "leap-transfer-probe", dependencies: ["LeapTransfers", "MisbehavingServer"],
            path: "Tests/leap-transfer-probe"),
        .testTarget(
            name: "LeapTransfersTests",
            dependencies: ["LeapGGUF", "LeapTransfers", "MisbehavingServer", "leap-transfer-probe"]),
        .target(name: "LeapModelDownloader", dependencies: ["LeapGGUF", "LeapSDK", "LeapTransfers"]),
        .testTarget(
            name: "LeapModelDownloaderTests",
            dependencies: ["LeapDemoModel", "LeapGGUF", "LeapModelDownloader", "LeapTransfers", "MisbehavingServer"]),
        // Downloader: end

        // The command line: begin
        .executableTarget(
            name: "leap",
            dependencies: [
                "LeapCore", "LeapSDK", "LeapModelDownloader", "LeapTransfers", "LeapDemoModel", "LeapEngine",
                "LeapGGUF", "LeapGrammar", "LeapTemplate", "LeapTokenizer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "LeapCommandTests", dependencies: ["leap", "LeapDemoModel", "MisbehavingServer"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "LeapSDK", "LeapModelDownloader", "LeapSDKMacros", "LeapDemoModel", "LeapGGUF", "LeapTokenizer",
                "LeapTemplate",
            ]),
        // The command line: end
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
