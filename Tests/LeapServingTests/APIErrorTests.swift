import Foundation
import LeapEngine
import LeapJSON
import LeapModel
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore
@testable import LeapServing

@Suite(.inTurns)
struct APIErrorTests {
    @Test(
        "What passes when others end is told to be tried again",
        arguments: [
            (LeapGenerationQueueFullException(message: "as many wait as may"), "overloaded"),
            (
                LeapGenerationMemoryException(message: "no memory", neededBytes: 5, availableBytes: 3),
                "out_of_memory"
            ),
        ] as [(LeapException, String)])
    func again(error: LeapException, code: String) throws {
        let reply = try WholeReply(APIError(error).reply)
        #expect(reply.status == 429)
        #expect(reply.headers["retry-after"] == "1")
        #expect(reply.body["error"]?["code"] == .string(code))
        #expect(reply.body["error"]?["message"] == .string(error.message))
    }

    @Test("What is wrong with a request is no reason to try again")
    func wrong() throws {
        let long = LeapGenerationPromptExceedContextLengthException(neededTokens: 9, availableTokens: 4)
        let reply = try WholeReply(APIError(long).reply)
        #expect(reply.status == 400)
        #expect(reply.headers["retry-after"] == nil)
        #expect(reply.body["error"]?["code"] == "context_length_exceeded")
        #expect(APIError(LeapModelLoadingException("damaged")).status == 503)
        #expect(APIError(CancellationError()).status == 499)
        #expect(APIError(APIError.notFound("no such thing")) == .notFound("no such thing"))
    }

    @Test("A missing key says how it is given, in a header too")
    func challenge() async throws {
        let server = try ServingSupport.server(access: AccessRules(key: "secret"))
        for (path, isOllama) in [("/v1/models", false), ("/api/tags", true)] {
            let reply = try await WholeReply(server.reply(to: ServerRequest(method: "GET", path: path)))
            #expect(reply.status == 401)
            #expect(reply.headers["www-authenticate"] == #"Bearer realm="open-leap""#)
            #expect((reply.body["error"]?.string != nil) == isOllama)
        }
    }

    @Test(
        "A body that is compressed is refused for that, and not for what its bytes would say",
        arguments: [
            ("gzip", 415), ("br, gzip", 415), ("deflate", 415), ("identity", 200), ("IDENTITY", 200), ("", 200),
        ])
    func encodings(encoding: String, status: Int) async throws {
        let reply = try await WholeReply(
            ServingSupport.server().reply(
                to: ServerRequest(
                    method: "POST", path: "/tokenize", headers: ["content-encoding": encoding],
                    body: Array(#"{"content": "Hi"}"#.utf8))))
        #expect(reply.status == status)
        #expect(reply.headers["accept-encoding"] == (status == 415 ? "identity" : nil))
    }

    @Test("What a request could not help is no fault of the request's")
    func fault() {
        #expect(APIError(LeapGenerationException("a tool message has no call before it")).status == 400)
        let unloaded = LeapGenerationException(message: "unloaded", cause: EngineError(.unloaded, "unloaded"))
        let option = LeapGenerationException(message: "top_p", cause: EngineError(.invalidOption, "top_p"))
        #expect(APIError(unloaded).status == 500 && APIError(option).status == 400)
        #expect(APIError(GenerationFailure.exception(for: CocoaError(.fileReadUnknown))).status == 500)
        #expect(APIError(LeapException("something else")).status == 500)
        #expect(APIError(LeapGeneratableDeserializationException("not the type")).status == 500)
    }
}
