import Foundation
import Testing

/// The differences that an audit of the LEAP SDK's documents, changelog, pages and example apps found, by topic.
///
/// A difference that was put right leaves this table and the migration page; a new one joins both.
private let differences: [(topic: String, what: [String])] = [
    (
        "runtime options",
        [
            "audioTokenizerPath",
            "nGpuLayers",
            "audioDecoderUseGpu",
            "randomSeed per load",
            "cpuAffinity:, loraAdapters: of 0.10.13",
        ]
    ),
    (
        "model service",
        [
            "persistent notification with live state",
            "progress null defers the load to the first session",
            "isServiceNotificationPermissionGranted(), getOpenServiceAppIntent(), requestStopService()",
        ]
    ),
    (
        "KV cache",
        [
            "ModelLoadingOptions.cacheOptions(path:)",
            "EngineOptions.CacheOptions",
        ]
    ),
    (
        "Conversation",
        [
            "removeLastMessage() after a kept interrupted reply",
            "exportToJSON() without a type, used as an array",
        ]
    ),
    (
        "MessageResponse",
        [
            "ReasoningChunk only with enableThinking",
            "EXCEED_CONTEXT",
            "for await over generateResponse(…)",
            ".complete(usage, info)",
            "case .error(let err), err.message, err.throwable, MessageResponseError",
            "terminal error, partial output not in the history",
            "is / as? MessageResponseChunk, …AudioSample, …Complete",
            "any MessageResponse, SkieSwiftFlow<any MessageResponse>",
            "GenerationStats: UInt64",
            "a switch over .stop and .exceed_context alone",
        ]
    ),
    (
        "GenerationOptions",
        [
            "functionCallParser defaults to LFMFunctionCallParser",
            "value semantics (struct)",
        ]
    ),
    (
        "ChatMessageContent",
        [
            "arm for AudioPcmF32 in onEnum(of: content)"
        ]
    ),
    (
        "errors",
        [
            "catch LeapError.modelLoadingFailure(let text, let cause)",
            "exhaustive switch over LeapError",
            "missing companion as an error of loading",
        ]
    ),
    (
        "downloads",
        [
            "slugs of ExecuTorch models",
            ".bundle on the ExecuTorch backend",
            "LeapModelDownloaderNotificationConfig",
            "downloadModelFromManifest(manifestUrl: NSURL) with a stored plain progress function",
            "Manifest(schemaVersion:…), LoadTimeParameters(…)",
            "the second download of damaged files stays silent",
            "LeapDownloaderConfig: 30 s, 60 s, 600 s, fields that can be read back",
            "disableSslValidation",
        ]
    ),
    (
        "platforms",
        [
            "Windows, JVM, Android, wasm",
            "Xcode 16.0, Swift 6.0",
            "Metal automatic on macOS",
            "CUDA through extras",
        ]
    ),
    (
        "modules",
        [
            "import LeapSDKConstrainedGeneration",
            "@Generatable with import LeapSDK alone",
        ]
    ),
    (
        "constrained generation",
        [
            "GeneratableFactory.createFromJsonObject",
            "dictionary with any key type",
            "members that a schema does not name",
        ]
    ),
    (
        "utilities",
        [
            "LeapJson.decodeFromString(…)",
            ".collect(collector: FlowCollector { … })",
        ]
    ),
    (
        "voice",
        [
            "VoiceAssistantWidget on a device",
            "VoiceAssistantState(mode:amplitude:), VoiceAssistantStateHolder(initial:), VoiceWidgetMode",
        ]
    ),
]

struct DifferenceTests {
    /// The rows of the page's table: topic, what, and what is here.
    private func rows() throws -> [[String]] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/LeapSDK/LeapSDK.docc/MigratingFromLEAP.md"),
            encoding: .utf8)
        let section = try #require(page.components(separatedBy: "### Every difference\n").last)
        let lines = section.components(separatedBy: "\n### ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        return lines.dropFirst().map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    @Test("The migration page lists every difference that the audit found, and no other")
    func complete() throws {
        let rows = try rows()
        #expect(rows.allSatisfy { $0.count == 3 && !$0[2].isEmpty }, "\(rows.filter { $0.count != 3 })")
        let listed = rows.map { $0.prefix(2).joined(separator: ": ") }
        let expected = differences.flatMap { difference in difference.what.map { "\(difference.topic): \($0)" } }
        #expect(Set(expected).subtracting(listed).isEmpty, "not on the page")
        #expect(Set(listed).subtracting(expected).isEmpty, "on the page only")
        #expect(listed.count == Set(listed).count && expected.count > 40)
    }
}
