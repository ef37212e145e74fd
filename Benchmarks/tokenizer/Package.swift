// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that measuring the tokenizer builds nothing else. The targets are links to the sources.
let package = Package(
    name: "tokenizer-benchmark",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "LeapGGUF"),
        .target(name: "LeapTokenizer", dependencies: ["LeapGGUF"]),
        .executableTarget(name: "tokenizer-benchmark", dependencies: ["LeapGGUF", "LeapTokenizer"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
