import Foundation
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import LeapVisionDemoModel
import Testing

@testable import LeapServing

/// Requests with pictures.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct ImageRequestTests {
    private static func file(_ name: String) throws -> Data {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("LeapVisionTests/Fixtures/\(name)"))
    }

    private static func dataURL(_ name: String) throws -> String {
        "data:image/any;base64," + (try file(name).base64EncodedString())
    }

    private static func body(_ urls: [String]) throws -> String {
        let images = urls.map { #"{"type": "image_url", "image_url": {"url": "\#($0)"}}"# }
        let parts = (images + [#"{"type": "text", "text": "What is it?"}"#]).joined(separator: ", ")
        return #"{"messages": [{"role": "user", "content": [\#(parts)]}], "max_tokens": 4, "temperature": 0}"#
    }

    private func ask(
        _ urls: [String], path: String = "/v1/chat/completions", _ configuration: ModelPool.Configuration = .init()
    ) async throws -> WholeReply {
        let server = try ServingSupport.server([ServingSupport.fixture("vision/vision")], configuration)
        return try await server.post(path, try Self.body(urls))
    }

    @Test("Pictures as data: addresses are read, and the same picture as JPEG or PNG costs the same tokens")
    func data() async throws {
        let urls = [try Self.dataURL("17x9-RGB.png"), try Self.dataURL("17x9-444.jpg")]
        let reply = try await ask(urls)
        #expect(reply.status == 200)
        let one = try await ask([urls[0]])
        let tokens = one.body["usage"]?["prompt_tokens"]?.integer ?? 0
        #expect(tokens > 64)
        #expect((reply.body["usage"]?["prompt_tokens"]?.integer ?? 0) > tokens + 64)
    }

    @Test("A model with a projector is told apart, so that pages and clients offer pictures for it and for no other")
    func capability() async throws {
        let server = try ServingSupport.server([ServingSupport.fixture("vision/vision"), ServingSupport.demo()])
        for (model, reads) in [("vision", true), ("demo", false)] {
            let reply = try await server.post("/api/show", #"{"model": "\#(model)"}"#)
            #expect(reply.body["capabilities"]?.array?.contains("vision") == reads, "\(model)")
        }
    }

    @Test("A GPU is asked for with either switch; the figures tell what came of it", arguments: [false, true])
    func gpu(decodesAudio: Bool) async throws {
        var configuration = ModelPool.Configuration()
        if decodesAudio { configuration.audioDecoderUseGpu = true } else { configuration.nGpuLayers = .max }
        configuration.extras.gpuDevice = TestLevel.softwareGPU
        var files = ModelFiles(modelPath: try LeapVisionDemoModel.url.path)
        files.multimodalProjectorPath = try LeapVisionDemoModel.projectorURL.path
        let model = ServedModel(id: "eyes", source: .files(files), byteCount: 1, created: 0)
        let server = try ServingSupport.server([model], configuration)
        #expect(try await server.post("/v1/chat/completions", Self.body([Self.dataURL("17x9-RGB.png")])).status == 200)
        let page = try await server.reply(to: ServerRequest(method: "GET", path: "/metrics")).collectText()
        let isThere = page.contains("leap_image_encoder_gpu_info{model=\"eyes\",device=\"llvmpipe")
        for figure in ["layers", "passes_total"] {
            #expect(page.contains("leap_image_encoder_gpu_\(figure){model=\"eyes\"} 0\n") != isThere, "\(figure)")
        }
        #expect(page.contains("leap_image_encoder_gpu_failures_total{model=\"eyes\"} 0\n"))
        #expect(page.contains("leap_gpu_info{") == (isThere && !decodesAudio))
    }

    @Test("An address is refused, and the error says how to allow it or do without")
    func refused() async throws {
        let reply = try await ask(["https://example.org/a.png"])
        #expect(reply.status == 400)
        #expect(reply.body["error"]?["code"] == "unsupported_content")
        #expect(reply.body["error"]?["param"] == "messages[0].content[0]")
        let message = reply.body["error"]?["message"]?.string ?? ""
        #expect(message.contains("--allow-image-urls") && message.contains("data:"))
    }

    @Test(
        "Where addresses are allowed, private networks and other schemes are refused still",
        arguments: [
            "https://127.0.0.1:1/a.png", "https://[::1]:1/a.png", "https://localhost:1/a.png", "http://127.0.0.1:1/",
        ])
    func privateAddress(url: String) async throws {
        var configuration = ModelPool.Configuration()
        configuration.allowsImageURLs = true
        let reply = try await ask([url], configuration)
        #expect(reply.status == 400)
        let message = reply.body["error"]?["message"]?.string ?? ""
        #expect(message.contains("public internet") || message.contains("https only"), "\(message)")
    }

    @Test("A damaged file, one of another format, and more pictures than the context holds are errors of the request")
    func bad() async throws {
        var damaged = try Self.file("17x9-RGB.png")
        damaged[45] ^= 1
        for data in [damaged, Data("GIF89a and more of it".utf8), Data([1, 2, 3])] {
            let reply = try await ask(["data:image/png;base64," + data.base64EncodedString()])
            #expect(reply.status == 400)
            #expect(reply.body["error"]?["message"]?.string?.isEmpty == false)
        }
        var configuration = ModelPool.Configuration()
        configuration.contextSize = 100
        let reply = try await ask([try Self.dataURL("17x9-RGB.png"), try Self.dataURL("17x9-grey.jpg")], configuration)
        #expect(reply.status == 400 && reply.body["error"]?["code"] == "context_length_exceeded")
    }
}
