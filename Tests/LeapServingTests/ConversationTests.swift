import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Conversations, items and what responses make of them.
@Suite(.inTurns)
struct ConversationTests {
    private let server: Server

    init() throws { server = try ServingSupport.server() }

    private func call(_ method: String, _ path: String, _ body: String = "") async throws -> WholeReply {
        var request = ServerRequest(method: method, path: RequestPath.of(target: path), body: Array(body.utf8))
        request.query = RequestQuery(target: path)
        return try await WholeReply(server.reply(to: request))
    }

    private func texts(_ reply: WholeReply) -> [String] {
        (reply.body["data"]?.array ?? []).map { $0["content"]?.array?.first?["text"]?.string ?? "" }
    }

    private static func message(_ text: String) -> String { #"{"role": "user", "content": "\#(text)"}"# }

    @Test("A conversation is made, read, changed and forgotten")
    func life() async throws {
        let made = try await call("POST", "/v1/conversations", #"{"metadata": {"a": "b"}, "extra": 1}"#)
        let id = try #require(made.body["id"]?.string)
        #expect(made.status == 200 && id.hasPrefix("conv_") && made.body["object"] == "conversation")
        #expect(made.body["created_at"]?.integer != nil && made.headers["warning"]?.contains("extra") == true)
        #expect(try await call("GET", "/v1/conversations/\(id)").body == made.body)
        let changed = try await call("POST", "/v1/conversations/\(id)", #"{"metadata": {"c": "d"}}"#)
        #expect(changed.body["metadata"] == .object(["c": "d"]))
        #expect(changed.body["created_at"] == made.body["created_at"])
        #expect(try await call("POST", "/v1/conversations").status == 200)
        let gone = try await call("DELETE", "/v1/conversations/\(id)")
        #expect(
            gone.body == .object(["id": .string(id), "object": "conversation.deleted", "deleted": .bool(true)]))
        for (method, path) in [("GET", ""), ("DELETE", ""), ("GET", "/items"), ("GET", "/items/x")] {
            let reply = try await call(method, "/v1/conversations/\(id)\(path)")
            #expect(reply.status == 404 && reply.body["error"]?["code"] == "conversation_not_found", "\(path)")
        }
    }

    @Test("Items are added, listed page by page in both orders, and removed")
    func items() async throws {
        let id = try #require(
            try await call("POST", "/v1/conversations", #"{"items": [\#(Self.message("one"))]}"#).body["id"]?.string)
        let added = try await call(
            "POST", "/v1/conversations/\(id)/items",
            #"{"items": [\#(Self.message("two")), {"type": "function_call", "id": "mine", "call_id": "c", "name": "f", "arguments": "{}"}, \#(Self.message("three"))]}"#
        )
        let data = added.body["data"]?.array ?? []
        #expect(data.count == 3 && data[1]["id"] == "mine" && data[1]["status"] == "completed", "\(added.body)")
        #expect(data[0]["type"] == "message" && data[0]["content"]?.array?.first?["type"] == "input_text")
        #expect(added.body["first_id"] == data[0]["id"] && added.body["has_more"] == .bool(false))
        #expect(texts(try await call("GET", "/v1/conversations/\(id)/items")) == ["three", "", "two", "one"])
        let first = try await call("GET", "/v1/conversations/\(id)/items?order=asc&limit=2")
        #expect(texts(first) == ["one", "two"] && first.body["has_more"] == .bool(true))
        let last = try #require(first.body["last_id"]?.string)
        let second = try await call("GET", "/v1/conversations/\(id)/items?order=asc&after=\(last)")
        #expect(texts(second) == ["", "three"] && second.body["has_more"] == .bool(false))
        let one = try await call("GET", "/v1/conversations/\(id)/items/mine")
        #expect(one.body == data[1])
        let without = try await call("DELETE", "/v1/conversations/\(id)/items/mine")
        #expect(without.body["object"] == "conversation" && without.body["id"]?.string == id)
        #expect(texts(try await call("GET", "/v1/conversations/\(id)/items")) == ["three", "two", "one"])
        // An identifier that is taken is given to no second item.
        let again = try await call(
            "POST", "/v1/conversations/\(id)/items",
            #"{"items": [{"type": "message", "id": "\#(last)", "role": "user", "content": "four"}]}"#)
        #expect(again.body["first_id"] != .string(last))
    }

    @Test(
        "What is asked for wrongly is refused by its name",
        arguments: [
            ("GET", "/items?order=up", "", "order"), ("GET", "/items?limit=0", "", "limit"),
            ("GET", "/items?limit=101", "", "limit"), ("GET", "/items?after=x", "", "after"),
            ("POST", "/items", #"{"items": []}"#, "items"), ("POST", "/items", "{}", "items"),
            ("POST", "/items", #"{"items": [3]}"#, "items[0]"),
            ("POST", "/items", #"{"items": [{"role": "nobody", "content": ""}]}"#, "items[0]"),
            ("POST", "", #"{"metadata": {"a": 1}}"#, "metadata"), ("POST", "", "{}", "metadata"),
        ])
    func refused(method: String, path: String, body: String, parameter: String) async throws {
        let id = try #require(try await call("POST", "/v1/conversations").body["id"]?.string)
        let reply = try await call(method, "/v1/conversations/\(id)\(path)", body)
        #expect(reply.status == 400 && reply.body["error"]?["param"]?.string == parameter, "\(reply.body)")
        let many = Array(repeating: Self.message("x"), count: 21).joined(separator: ", ")
        let tooMany = try await call("POST", "/v1/conversations/\(id)/items", #"{"items": [\#(many)]}"#)
        #expect(tooMany.status == 400 && tooMany.body["error"]?["param"] == "items")
    }

    @Test("A response reads its conversation and appends to it")
    func response() async throws {
        let turns = try await call(
            "POST", "/v1/conversations",
            #"{"items": [{"role": "system", "content": "You are a helpful assistant."}, \#(Self.message("My name is Mira."))]}"#
        )
        let id = try #require(turns.body["id"]?.string)
        let ask =
            #"{"temperature": 0, "max_output_tokens": 30, "store": false, "include": ["message.output_text.logprobs"], "conversation": "\#(id)", "input": "What is the capital of Portugal?"}"#
        let reply = try await call("POST", "/v1/responses", ask)
        #expect(reply.status == 200 && reply.body["conversation"]?["id"]?.string == id, "\(reply.body)")
        let list = try await call("GET", "/v1/conversations/\(id)/items?order=asc")
        let items = list.body["data"]?.array ?? []
        #expect(items.count == 4 && items[3]["id"] == reply.body["output"]?.array?.first?["id"])
        #expect(items[3]["content"]?.array?.first?["logprobs"] == .array([]))
        let full = try await call(
            "GET", "/v1/conversations/\(id)/items?include[]=odd&include[]=message.output_text.logprobs")
        let part = full.body["data"]?.array?.first?["content"]?.array?.first
        #expect(part?["logprobs"]?.array?.isEmpty == false && full.headers["warning"]?.contains("odd") == true)
        // The prompt of the next turn has all of it, whether its messages are kept or have to be made from the items.
        let next = try await call("POST", "/v1/responses", ask.replacing("\"\(id)\"", with: #"{"id": "\#(id)"}"#))
        let tokens = next.body["usage"]?["input_tokens"]?.integer ?? 0
        #expect(tokens > (reply.body["usage"]?["input_tokens"]?.integer ?? 0) + 10)
        let before = try await call("GET", "/v1/conversations/\(id)/items")
        let deleted = before.body["first_id"]?.string ?? ""
        #expect(try await call("DELETE", "/v1/conversations/\(id)/items/\(deleted)").status == 200)
        #expect(try await call("POST", "/v1/responses", ask).status == 200)
        let both = try await call(
            "POST", "/v1/responses",
            #"{"input": "Hi", "conversation": "\#(id)", "previous_response_id": "resp_x"}"#)
        #expect(both.status == 400 && both.body["error"]?["param"] == "conversation")
        let none = try await call("POST", "/v1/responses", #"{"input": "Hi", "conversation": "conv_x"}"#)
        #expect(none.status == 404 && none.body["error"]?["code"] == "conversation_not_found")
    }

    @Test("The items that led to a response are listed, and others can refer to any of them")
    func inputItems() async throws {
        let first = try await call(
            "POST", "/v1/responses",
            #"{"temperature": 0, "max_output_tokens": 20, "input": "What is the capital of Portugal?"}"#)
        let id = try #require(first.body["id"]?.string)
        let second = try await call(
            "POST", "/v1/responses",
            #"{"temperature": 0, "max_output_tokens": 4, "previous_response_id": "\#(id)", "input": [\#(Self.message("And now?"))]}"#
        )
        let other = try #require(second.body["id"]?.string)
        let list = try await call("GET", "/v1/responses/\(other)/input_items?order=asc")
        #expect(texts(list).first == "What is the capital of Portugal?" && texts(list).last == "And now?")
        #expect(list.body["data"]?.array?.count == 3)
        #expect(try await call("GET", "/v1/responses/resp_x/input_items").status == 404)
        let answer = try #require(first.body["output"]?.array?.first?["id"]?.string)
        let ask =
            #"{"temperature": 0, "max_output_tokens": 4, "input": [\#(Self.message("Hi")), REFERENCE, \#(Self.message("And now?"))]}"#
        var counts: [Int?] = []
        for reference in [
            #"{"type": "item_reference", "id": "\#(answer)"}"#, #"{"id": "\#(answer)"}"#,
            #"{"role": "assistant", "content": [{"type": "output_text", "text": \#(JSONWriter.string(first.body["output"]?.array?.first?["content"]?.array?.first?["text"] ?? .null))}]}"#,
        ] {
            let reply = try await call("POST", "/v1/responses", ask.replacing("REFERENCE", with: reference))
            #expect(reply.status == 200 && reply.headers["warning"] == nil, "\(reply.body)")
            counts.append(reply.body["usage"]?["input_tokens"]?.integer)
        }
        #expect(counts[0] == counts[2] && counts[1] == counts[2] && counts[2] != nil)
        let lost = try await call(
            "POST", "/v1/responses", #"{"input": [{"type": "item_reference", "id": "msg_x"}]}"#)
        #expect(lost.status == 400 && lost.body["error"]?["code"] == "item_not_found")
        #expect(lost.body["error"]?["param"] == "input[0]")
        for (path, field) in [("/v1/responses", "input"), ("/v1/conversations", "items")] {
            let wrong = try await call("POST", path, "{\"\(field)\": [{\"type\": \"item_reference\", \"id\": {}}]}")
            #expect(wrong.status == 400 && wrong.body["error"]?["param"] == "input[0].id", "\(path)")
        }
    }

    @Test("Records give way to newer ones, and one that grows past its share is refused")
    func bounds() throws {
        let store = StateStore()
        for index in 0...StateStore.maxCount {
            store.keep("c\(index)", StoredConversation(created: 0))
        }
        #expect(store.conversation("c0") == nil && store.conversation("c1") != nil)
        // What is changed is the newest.
        #expect(store.append([.object(["id": "a"])], [], to: "c1") != nil)
        store.keep("c", StoredConversation(created: 0))
        #expect(store.conversation("c1") != nil && store.conversation("c2") == nil)
        #expect(store.response("c1") == nil && !store.removeResponse("c1") && store.removeConversation("c1"))
        var large = StoredConversation(created: 0)
        large.append([.string(String(repeating: "x", count: StateStore.maxConversationByteCount / 2))], nil)
        #expect(throws: APIError.self) { try ConversationRequests.check(large) }
    }
}
