import BackgroundURLSession
import Foundation
import LeapBase
import LeapDemoModel
import LeapSDK
import MisbehavingServer

/// A library with one model, and a folder for it.
final class ModelBench: Sendable {
    let folder: String
    let server: Server
    let config: LeapDownloaderConfig
    let model: [UInt8]
    /// A switch that makes the server refuse everything.
    let isDown = OneWaySwitch()
    /// A switch that holds files back after their first bytes.
    let isHeld: OneWaySwitch

    init() throws {
        folder = NSTemporaryDirectory() + "leap-apple-" + UUID().uuidString
        let model = Array(try Data(contentsOf: try LeapDemoModel.url))
        let isHeld = OneWaySwitch()
        let isDown = isDown
        self.model = model
        self.isHeld = isHeld
        let manifest = """
            {"schema_version": "1.0.0", "inference_type": "llama.cpp/text-to-text",
             "load_time_parameters": {"model": "demo.gguf"}}
            """
        server = try Server { request in
            if isDown.isSet { return Reply(status: 404) }
            if request.path.hasSuffix("/Demo-GGUF/Q8_0.json") { return .text(manifest) }
            guard request.path.hasSuffix("demo.gguf") else { return Reply(status: 404) }
            return request.serve(model, etag: "\"d\"").with { $0.isHeld = { isHeld.isSet } }
        }
        config = LeapDownloaderConfig(saveDir: folder, endpoint: server.url(""), maxAttempts: 2)
    }

    /// Returns the server's answer to a request of the system.
    func answer(_ request: URLRequest) -> StubTransfers.Answer {
        let ends = (request.value(forHTTPHeaderField: "Range") ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        guard ends.count == 2, ends[0] <= ends[1], ends[1] < model.count else {
            return StubTransfers.Answer(status: 416, fields: [:], body: Data())
        }
        return StubTransfers.Answer(
            status: 206,
            fields: ["Content-Range": "bytes \(ends[0])-\(ends[1])/\(model.count)", "ETag": "\"d\""],
            body: Data(model[ends[0]...ends[1]]))
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
