// swift-tools-version: 6.1
import PackageDescription

// An app as it is written for version 0.10.8 of the LEAP SDK and later, and a program of the products for texts alone.
let package = Package(
    name: "LaterLEAP",
    platforms: [.macOS(.v15), .iOS(.v17)],
    dependencies: [
        .package(name: "open-leap", path: "../..", traits: [.defaults, "LEAPReplies"])
    ],
    targets: [
        .executableTarget(
            name: "LaterLEAP",
            dependencies: [
                .product(name: "LeapSDK", package: "open-leap"),
                .product(name: "LeapUI", package: "open-leap"),
                .product(name: "LeapDemoModel", package: "open-leap"),
                .product(name: "LeapAudioDemoModel", package: "open-leap"),
            ], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "TextProducts",
            dependencies: [
                .product(name: "LeapGGUF", package: "open-leap"),
                .product(name: "LeapTokenizer", package: "open-leap"),
                .product(name: "LeapTemplate", package: "open-leap"),
                .product(name: "LeapGrammar", package: "open-leap"),
            ]),
    ]
)
