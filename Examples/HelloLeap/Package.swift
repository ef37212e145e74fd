// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "HelloLeap",
    platforms: [.macOS(.v15), .iOS(.v17)],
    dependencies: [
        .package(name: "open-leap", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "HelloLeap",
            dependencies: [
                .product(name: "LeapSDK", package: "open-leap"),
                .product(name: "LeapDemoModel", package: "open-leap"),
            ]),
        // Ranks notes by a question, with vectors of texts.
        .executableTarget(
            name: "Retrieval",
            dependencies: [
                .product(name: "LeapSDK", package: "open-leap"),
                .product(name: "LeapDemoModel", package: "open-leap"),
            ]),
    ]
)
