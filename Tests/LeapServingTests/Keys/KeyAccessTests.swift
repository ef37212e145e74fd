import LeapBase
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Requests with keys of a file, on every kind of route.
@Suite(.inTurns)
struct KeyAccessTests {
    private static let question = #""messages": [{"role": "user", "content": "Hello!"}], "max_tokens": 2"#

    private struct Bench {
        let file = KeyRingTests.Bench()
        let ring: KeyRing
        let server: LeapServing.Server

        init(_ text: String, key: String? = nil) throws {
            ring = try file.ring(text)
            server = try ServingSupport.server(
                [ServingSupport.demo(), ServingSupport.demo("other")], access: AccessRules(key: key, keys: ring))
        }

        func ask(
            _ path: String, _ body: String? = nil, key: String?, method: String? = nil, query: String = "",
            headers: [String: String] = [:]
        ) async -> ServerReply {
            var request = ServerRequest(
                method: method ?? (body == nil ? "GET" : "POST"), path: path, headers: headers,
                body: Array((body ?? "").utf8))
            request.query = RequestQuery(target: path + query)
            if let key { request.headers["authorization"] = "Bearer \(key)" }
            return await server.reply(to: request)
        }

        func whole(
            _ path: String, _ body: String? = nil, key: String?, query: String = "", headers: [String: String] = [:]
        ) async throws -> WholeReply {
            try await WholeReply(ask(path, body, key: key, query: query, headers: headers))
        }
    }

    @Test("Each key of the file will do, and the one key beside it; no other, but for the page and /health")
    func keys() async throws {
        let bench = try Bench("alice k1\nbob k2", key: "one")
        for (key, status) in [("k1", 200), ("k2", 200), ("one", 200), ("k3", 401), (nil, 401)] as [(String?, Int)] {
            #expect(await bench.ask("/v1/models", key: key).status == status)
            #expect(await bench.ask("/api/tags", key: key).status == status)
        }
        for path in ["/health", "/"] { #expect(await bench.ask(path, key: nil).status == 200) }
        // The one key is nobody's of the file.
        #expect(bench.ring.holders.map(\.counts.requests) == [2, 2])
    }

    @Test("Models outside of a key's list are in no list, and are as if they were not there, in each protocol's words")
    func models() async throws {
        let bench = try Bench("alice k1 other\nbob k2 demo,oth*")
        let list = try await bench.whole("/v1/models", key: "k1")
        #expect(list.body["data"]?.array?.compactMap { $0["id"]?.string } == ["other"])
        #expect(try await bench.whole("/v1/models", key: "k2").body["data"]?.array?.count == 2)
        let tags = try await bench.whole("/api/tags", key: "k1")
        #expect(tags.body["models"]?.array?.compactMap { $0["name"]?.string } == ["other"])
        let openAI = try await bench.whole("/v1/chat/completions", "{\"model\": \"demo\", \(Self.question)}", key: "k1")
        #expect(openAI.status == 404 && openAI.body["error"]?["code"] == "model_not_found")
        #expect(openAI.body["error"]?["message"]?.string?.contains("there are 'other'") == true)
        let anthropic = try await bench.whole("/v1/messages", "{\"model\": \"demo\", \(Self.question)}", key: "k1")
        #expect(anthropic.status == 404 && anthropic.body["error"]?["type"] == "not_found_error")
        let ollama = try await bench.whole("/api/chat", "{\"model\": \"demo\", \(Self.question)}", key: "k1")
        #expect(ollama.status == 404 && ollama.body["error"]?.string?.contains("'demo'") == true)
        for (path, body) in [
            ("/v1/models/demo", nil), ("/v1/embeddings", #"{"model": "demo", "input": "a"}"#),
            ("/v1/responses", #"{"model": "demo", "input": "a"}"#), ("/api/show", #"{"model": "demo"}"#),
            ("/v1/responses/input_tokens", #"{"model": "demo", "input": "a"}"#),
            ("/v1/messages/count_tokens", #"{"model": "demo", "messages": [{"role": "user", "content": "a"}]}"#),
            ("/tokenize", #"{"model": "demo", "content": "a"}"#), ("/detokenize", #"{"model": "demo", "tokens": [1]}"#),
            ("/v1/completions", #"{"model": "demo", "prompt": "a"}"#),
            ("/api/generate", #"{"model": "demo", "prompt": "a"}"#),
        ] as [(String, String?)] {
            #expect(await bench.ask(path, body, key: "k1").status == 404, "\(path)")
        }
        for path in ["/props", "/slots", "/v1/realtime"] {
            #expect(await bench.ask(path, key: "k1", query: "?model=demo").status == 404, "\(path)")
        }
        // A request that names no model has the first one that it may have.
        let own = try await bench.whole("/v1/chat/completions", "{\(Self.question)}", key: "k1")
        #expect(own.status == 200 && own.body["model"] == "other")
        #expect(try await bench.whole("/api/ps", key: "k1").body["models"]?.array?.count == 1)
    }

    @Test("A key for some models only changes no models, and reads no figures of the others")
    func allModels() async throws {
        let bench = try Bench("alice k1 other\nbob k2")
        for (path, body, method) in [
            ("/api/pull", #"{"model": "x"}"#, "POST"),
            ("/api/copy", #"{"source": "demo", "destination": "x"}"#, "POST"),
            ("/api/delete", #"{"model": "demo"}"#, "DELETE"), ("/metrics", "", "GET"),
        ] {
            #expect(await bench.ask(path, body, key: "k1", method: method).status == 403, "\(path)")
            #expect(await bench.ask(path, body, key: "k2", method: method).status != 403, "\(path)")
        }
    }

    @Test("Responses and conversations are there for the key alone that they were made with")
    func kept() async throws {
        let bench = try Bench("alice k1\nbob k2", key: "one")
        let made = try await bench.whole("/v1/responses", #"{"input": "Hello!", "max_output_tokens": 1}"#, key: "k1")
        let conversation = try await bench.whole(
            "/v1/conversations", #"{"items": [{"role": "user", "content": "Hello!"}]}"#, key: "k1")
        let response = try #require(made.body["id"]?.string), id = try #require(conversation.body["id"]?.string)
        let item = try #require(made.body["output"]?.array?.first?["id"]?.string)
        for key in ["k2", "one"] {
            for (path, method) in [
                ("/v1/responses/\(response)", "GET"), ("/v1/responses/alice%2F\(response)", "GET"),
                ("/v1/responses/\(response)", "DELETE"), ("/v1/responses/\(response)/input_items", "GET"),
                ("/v1/responses/\(response)/cancel", "POST"), ("/v1/conversations/\(id)", "GET"),
                ("/v1/conversations/\(id)", "DELETE"), ("/v1/conversations/\(id)/items", "GET"),
                ("/v1/conversations/alice%2F\(id)/items", "GET"),
            ] {
                #expect(await bench.ask(path, key: key, method: method).status == 404, "\(key) \(method) \(path)")
            }
            for body in [
                "{\"input\": \"a\", \"previous_response_id\": \"\(response)\"}",
                "{\"input\": \"a\", \"conversation\": \"\(id)\"}",
            ] {
                #expect(await bench.ask("/v1/responses", body, key: key).status == 404, "\(key) \(body)")
            }
            let reference = try await bench.whole(
                "/v1/responses", "{\"input\": [{\"type\": \"item_reference\", \"id\": \"\(item)\"}]}", key: key)
            #expect(reference.status == 400 && reference.body["error"]?["code"] == "item_not_found")
        }
        let next = try await bench.whole(
            "/v1/responses",
            "{\"input\": [{\"type\": \"item_reference\", \"id\": \"\(item)\"}], \"previous_response_id\": \"\(response)\", \"max_output_tokens\": 1}",
            key: "k1")
        #expect(next.status == 200, "\(next.body)")
        #expect(await bench.ask("/v1/conversations/\(id)/items", key: "k1").status == 200)
        #expect(await bench.ask("/v1/responses/\(response)", key: "k1", method: "DELETE").status == 200)
    }

    @Test("An alias of a model that is missing tells a key for some models nothing of the others")
    func alias() throws {
        let file = KeyRingTests.Bench()
        let ring = try file.ring("alice k1 other")
        let models = [try ServingSupport.demo(), try ServingSupport.demo("other")]
        var catalog = ModelCatalog(given: models, downloader: nil)
        catalog.aliases = [try #require(ModelAlias("gpt=missing"))]
        func refusal(_ catalog: ModelCatalog) -> APIError? {
            do throws(APIError) {
                _ = try catalog.find("gpt")
                return nil
            } catch {
                return error
            }
        }
        let full = refusal(catalog)
        #expect(full?.message.contains("'demo'") == true)
        catalog.holder = ring.holder(of: "k1")
        let error = refusal(catalog)
        #expect(error?.message.contains("'demo'") == false && error?.message.contains("'other'") == true)
    }

    @Test("A limit that is used up is 429 with Retry-After, in each protocol's form")
    func limits() async throws {
        let bench = try Bench("alice k1 * 1\nbob k2 * - 1\ncarol k3")
        #expect(await bench.ask("/v1/models", key: "k1").status == 200)
        for (path, body) in [
            ("/v1/chat/completions", "{\(Self.question)}"), ("/v1/messages", "{\(Self.question)}"),
            ("/api/chat", "{\(Self.question)}"), ("/v1/models", nil),
        ] as [(String, String?)] {
            let reply = try await bench.whole(path, body, key: "k1")
            #expect(reply.status == 429 && (1...60).contains(Int(reply.headers["retry-after"] ?? "") ?? 0), "\(path)")
            let error = reply.body["error"]
            switch ErrorShape(path: path) {
            case .openAI: #expect(error?["type"] == "rate_limit_error" && error?["code"] == "rate_limit_exceeded")
            case .anthropic: #expect(error?["type"] == "rate_limit_error" && reply.body["type"] == "error")
            case .ollama: #expect(error?.string?.contains("'alice'") == true)
            case .systemOne: Issue.record("no path of the test has this form")
            }
        }
        #expect(await bench.ask("/v1/models", key: "k3").status == 200)
        // The first reply may go beyond the limit, the second does not begin.
        #expect(try await bench.whole("/v1/chat/completions", "{\(Self.question)}", key: "k2").status == 200)
        let second = try await bench.whole("/v1/chat/completions", "{\(Self.question)}", key: "k2")
        #expect(second.status == 429 && second.body["error"]?["code"] == "insufficient_quota")
    }

    @Test(
        "Tokens are those of the usage, also of streams, of what was read, and of streams that nobody reads to the end")
    func tokens() async throws {
        let bench = try Bench("alice k1\nbob k2\ncarol k3\ndora k4")
        func tokens(_ name: String) -> Int64 { bench.ring.holders.first { $0.name == name }?.counts.tokens ?? -1 }
        let whole = try await bench.whole("/v1/chat/completions", "{\(Self.question)}", key: "k1")
        #expect(tokens("alice") == whole.body["usage"]?["total_tokens"]?.integer.map { Int64($0) })
        let stream = await bench.ask("/v1/chat/completions", "{\(Self.question), \"stream\": true}", key: "k2")
        #expect(tokens("bob") == 0)
        _ = try await stream.collect()
        #expect(tokens("bob") == tokens("alice"))
        let vectors = try await bench.whole("/v1/embeddings", #"{"input": "Hello there!"}"#, key: "k3")
        #expect(
            vectors.status != 200
                || tokens("carol") == vectors.body["usage"]?["total_tokens"]?.integer.map { Int64($0) })
        var given: ServerReply? = await bench.ask(
            "/v1/chat/completions", "{\"messages\": [{\"role\": \"user\", \"content\": \"Hello!\"}], \"stream\": true}",
            key: "k4")
        guard case .stream(let write)? = given?.body else { return }
        given = nil
        struct Gone: Error {}
        let count = Locked(0)
        _ = try? await write { _ in
            if count.withLock({ count in
                count += 1
                return count > 4
            }) {
                throw Gone()
            }
        }
        #expect(tokens("dora") > 0)
    }

    @Test("The figures and the lines of the log name the holder, never the key")
    func figures() async throws {
        let bench = try Bench("alice secret1 * 1\nbob secret2")
        _ = await bench.ask("/v1/models", key: "secret1")
        _ = await bench.ask("/v1/models", key: "secret1")
        let page = try await bench.ask("/metrics", key: "secret2").collectText()
        #expect(page.contains("leap_key_requests_total{key=\"alice\"} 1\n"))
        #expect(page.contains("leap_key_requests_refused_total{key=\"alice\",limit=\"requests\"} 1\n"))
        #expect(page.contains("leap_key_tokens_total{key=\"bob\"} 0\n") && !page.contains("secret"))
        let without = try await ServingSupport.server().reply(to: ServerRequest(method: "GET", path: "/metrics"))
        #expect(try await !without.collectText().contains("leap_key"))
    }

    @Test("A WebSocket is let in by its key's limits and models, and each of its replies counts")
    func realtime() async throws {
        let bench = try Bench("alice k1 demo 1\nbob k2 other")
        func socket(_ key: String) -> RealtimeConnection? {
            var request = ServerRequest(method: "GET", path: "/v1/realtime")
            request.query = RequestQuery(target: "/v1/realtime?model=demo")
            request.headers["sec-websocket-protocol"] = "realtime, openai-insecure-api-key.\(key)"
            return bench.server.realtimeConnection(request)
        }
        #expect(socket("k2") == nil && socket("k3") == nil)
        let connection = try #require(socket("k1"))
        #expect(socket("k1") == nil)
        let (messages, input) = AsyncStream<RealtimeConnection.Incoming>.makeStream()
        final class Held: Sendable {}
        async let end: Void = connection.run(messages)
        input.yield(
            .text(
                Array(
                    #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello!"}]}}"#
                        .utf8), Held()))
        input.yield(.text(Array(#"{"type": "response.create"}"#.utf8), Held()))
        var refusal: JSONValue?
        for await message in connection.outbox.messages {
            guard case .text(let bytes) = message else { break }
            connection.outbox.took(bytes.count)
            let event = try JSONParser.parse(bytes)
            if event["type"] == "error" {
                refusal = event["error"]
                break
            }
        }
        input.finish()
        await end
        #expect(refusal?["code"] == "rate_limit_exceeded")
        let alice = try #require(bench.ring.holders.first { $0.name == "alice" })
        #expect(alice.counts.requests == 1 && alice.counts.refused[.requests] == 1)
    }
}
