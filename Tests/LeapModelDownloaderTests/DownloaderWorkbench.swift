import Foundation
import LeapBase
import LeapDemoModel
import LeapGGUF
import LeapModelDownloader
import LeapTransfers
import MisbehavingServer

/// A server with a library of one real model, and a downloader for it.
final class DownloaderWorkbench: Sendable {
    let folder: String
    let server: Server
    let config: LeapDownloaderConfig
    /// A switch that makes the server refuse everything.
    let isDown = OneWaySwitch()
    /// A switch that makes files stop half-way until it is not set any more.
    let isHeld = Switch()
    /// The model that the library has: the demo model.
    let model: [UInt8]

    init(inferenceType: String = "llama.cpp/text-to-text") throws {
        folder = NSTemporaryDirectory() + "leap-downloader-" + UUID().uuidString
        let model = Array(try Data(contentsOf: try LeapDemoModel.url))
        self.model = model
        let (isDown, isHeld) = (isDown, isHeld)
        let sent = Sum()
        let manifest = """
            {"schema_version": "1.0.0", "inference_type": "\(inferenceType)", "note": "kept",
             "load_time_parameters": {"model": "demo.gguf"},
             "generation_time_parameters": {"sampling_parameters": {"temperature": 0.3, "min_p": 0.15}, "number_of_decoding_threads": 2}}
            """
        server = try Server { request in
            if isDown.isSet { return Reply(status: 404) }
            switch request.path {
            case "/LiquidAI/LeapBundles/resolve/main/Demo-GGUF/Q8_0.json", "/elsewhere/manifest.json":
                return .text(manifest)
            case let path where path.hasSuffix("demo.gguf"):
                return request.serve(model, etag: "\"d\"").with {
                    $0.longestPiece = 64 << 10
                    $0.onSent = { sent.add($0) }
                    $0.isHeld = { isHeld.isSet && sent.value > model.count / 2 }
                }
            default: return Reply(status: 404)
            }
        }
        config = LeapDownloaderConfig(saveDir: folder, endpoint: server.url(""), maxAttempts: 2)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// A switch that is set and unset, from any thread.
final class Switch: Sendable {
    private let state = Locked(false)

    var isSet: Bool { state.withLock { $0 } }
    func set(_ isSet: Bool) { state.withLock { $0 = isSet } }
}

/// A sum, from any thread.
final class Sum: Sendable {
    private let state = Locked(0)

    var value: Int { state.withLock { $0 } }
    func add(_ amount: Int) { state.withLock { $0 += amount } }
}

/// Fractions that a progress callback got.
final class Fractions: @unchecked Sendable {
    // Sendable although it has state: all of it is behind the lock.
    private let lock = NSLock()
    private var values: [Double] = []

    func add(_ value: Double) { lock.withLock { values.append(value) } }
    var all: [Double] { lock.withLock { values } }
}
