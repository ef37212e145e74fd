// swift-tools-version: 6.1
import AppleProductTypes
import PackageDescription

// Xcode opens this folder as an app. Only Apple's SwiftPM has AppleProductTypes.
let package = Package(
    name: "PocketChat",
    platforms: [.iOS(.v17)],
    products: [
        .iOSApplication(
            name: "PocketChat",
            targets: ["AppModule"],
            bundleIdentifier: "org.example.PocketChat",
            displayVersion: "1.0",
            bundleVersion: "1",
            appIcon: .placeholder(icon: .cloud),
            accentColor: .presetColor(.blue),
            supportedDeviceFamilies: [.pad, .phone],
            supportedInterfaceOrientations: [.portrait, .landscapeLeft, .landscapeRight],
            additionalInfoPlistContentFilePath: "Info.plist")
    ],
    dependencies: [.package(name: "PocketChatLogic", path: "..")],
    targets: [
        .executableTarget(
            name: "AppModule",
            dependencies: [.product(name: "PocketChatLogic", package: "PocketChatLogic")],
            path: "App",
            resources: [.copy("PrivacyInfo.xcprivacy")])
    ]
)
