// swift-tools-version: 6.1
import PackageDescription

// Small programs over the products of Open Leap. Each has a folder with a README; `Examples/README.md` lists them.
let leap: Target.Dependency = .product(name: "LeapSDK", package: "open-leap")
let demo: Target.Dependency = .product(name: "LeapDemoModel", package: "open-leap")

/// An example with its sources and its README in a folder of its name.
func example(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(name: name, dependencies: [leap, demo] + dependencies, path: name, exclude: ["README.md"])
}

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15), .iOS(.v17)],
    dependencies: [
        .package(name: "open-leap", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        example("HelloLeap"),
        example("TerminalAgent"),
        example("Extraction", .product(name: "LeapSDKMacros", package: "open-leap")),
        example("Retrieval", .product(name: "GRDB", package: "GRDB.swift")),
        example("Hybrid", .product(name: "LeapHybrid", package: "open-leap")),
        example("Batch"),
        example("Shortcut"),
        example("Decisions", .product(name: "LeapDecisionDemoModel", package: "open-leap")),
        example(
            "VoiceChat", .product(name: "LeapUI", package: "open-leap"),
            .product(name: "LeapAudioDemoModel", package: "open-leap")),
    ]
)
