// swift-tools-version: 6.1
import PackageDescription

// The logic of the app, which compiles and is tested on every system. The app itself is PocketChat.swiftpm.
let package = Package(
    name: "PocketChatLogic",
    platforms: [.macOS(.v15), .iOS(.v17)],
    products: [.library(name: "PocketChatLogic", targets: ["PocketChatLogic"])],
    dependencies: [.package(name: "open-leap", path: "../..")],
    targets: [
        .target(
            name: "PocketChatLogic",
            dependencies: [
                .product(name: "LeapSDK", package: "open-leap"),
                .product(name: "LeapSDKMacros", package: "open-leap"),
                .product(name: "LeapUI", package: "open-leap"),
                .product(name: "LeapDemoModel", package: "open-leap"),
            ]),
        .testTarget(
            name: "PocketChatLogicTests",
            dependencies: [
                "PocketChatLogic", .product(name: "LeapSDK", package: "open-leap"),
                .product(name: "LeapUI", package: "open-leap"),
                .product(name: "LeapDemoModel", package: "open-leap"),
            ]),
    ]
)
