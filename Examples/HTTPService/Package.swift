// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that the other examples build no HTTP server. A service of yours needs no traits: those that leap-server is built with
// are named here, in the same order, so that one build serves both (`--scratch-path ../../.build`).
let package = Package(
    name: "HTTPService",
    platforms: [.macOS(.v15), .iOS(.v17)],
    dependencies: [
        .package(name: "open-leap", path: "../..", traits: ["TLS", "Server", "ModelService"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    ],
    targets: [
        .executableTarget(
            name: "HTTPService",
            dependencies: [
                .product(name: "LeapSDK", package: "open-leap"),
                .product(name: "LeapDemoModel", package: "open-leap"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ])
    ]
)
