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
            ])
    ]
)
