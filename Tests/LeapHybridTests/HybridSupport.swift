import Foundation
import LeapBase
import LeapDemoModel
import LeapJSON
import LeapSDK
import MisbehavingServer

@testable import LeapHybrid

/// An endpoint and a device for tests.
enum HybridSupport {
    /// A reply as an endpoint streams it.
    static func stream(_ pieces: [String], usage: Bool = true) -> String {
        var lines = pieces.map { "data: {\"choices\":[{\"delta\":{\"content\":\(JSONWriter.quoted($0))}}]}\n\n" }
        lines.append("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
        if usage {
            lines.append(
                "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4,\"prompt_tokens_details\":{\"cached_tokens\":3}}}\n\n"
            )
        }
        return lines.joined() + "data: [DONE]\n\n"
    }

    static func reply(_ pieces: String...) -> Reply {
        Reply.text(stream(pieces), fields: [("Content-Type", "text/event-stream")])
    }

    static func cloud(_ server: Server, isExtended: Bool = false) -> CloudModelRunner {
        CloudModelRunner(
            model: "big",
            config: OpenAiClientConfig(apiKey: "k", baseUrl: server.url("/v1").absoluteString, maxRetries: 0),
            isExtended: isExtended)
    }

    static func device(contextSize: UInt32? = nil) async throws -> any ModelRunner {
        let path = try LeapDemoModel.url.path
        return try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(bundlePath: path, contextSize: contextSize))
    }

    static let brief = GenerationOptions(temperature: 0, maxTokens: 6)
}

/// The parts of a reply that a conversation delivers.
struct Delivered {
    var text = ""
    var reasoning = ""
    var calls: [LeapFunctionCall] = []
    var completion: MessageCompletion?

    init(_ stream: AsyncThrowingStream<MessageResponse, any Error>) async throws {
        for try await response in stream {
            switch response {
            case .chunk(let piece): text += piece
            case .reasoningChunk(let piece): reasoning += piece
            case .functionCall(let more): calls += more
            case .complete(let completion): self.completion = completion
            case .audioSample: break
            }
        }
    }
}

extension Request {
    /// The body as JSON.
    func json() throws -> JSONValue { try JSONParser.parse(body) }
}
