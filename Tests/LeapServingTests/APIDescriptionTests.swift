import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct APIDescriptionTests {
    private let document: JSONValue
    private let paths: JSONObject
    private let schemas: JSONObject

    init() throws {
        document = APIDescription.document(
            of: try ServingSupport.server().table, page: try WebPage.shipped.get().files)
        paths = document["paths"]?.object ?? [:]
        schemas = document["components"]?["schemas"]?.object ?? [:]
    }

    @Test("Every part is a JSON object")
    func parts() throws {
        for (name, part) in zip(APIDescription.partNames, try APIDescription.shipped.get()) {
            #expect(part.object?.isEmpty == false, "\(name)")
        }
    }

    @Test("Every route is in the document, and nothing else")
    func routes() throws {
        var described: [String: Set<String>] = [:]
        for (path, operations) in paths.members {
            described[path] = Set(operations.object?.keys.map { $0.uppercased() } ?? [])
        }
        #expect(described == (try ServingSupport.server()).table)
    }

    @Test("Every operation has a name of its own, says what it is and what it answers")
    func operations() {
        var names: Set<String> = []
        for (path, operations) in paths.members {
            for (method, operation) in operations.object?.members ?? [] {
                let place = "\(method) \(path)"
                #expect(operation["operationId"]?.string.map { names.insert($0).inserted } == true, "\(place)")
                #expect(operation["summary"]?.string?.isEmpty == false, "\(place)")
                // Ollama's clients name the model that they remove in a body.
                let hasBody =
                    (method == "post" && !path.hasSuffix("/cancel")) || place == "delete /api/delete"
                #expect((operation["requestBody"] == nil) != hasBody, "\(place)")
                let success = path == RealtimeRequests.path ? "101" : "200"
                #expect(Set(operation["responses"]?.object?.keys ?? []) == [success, "4XX", "5XX"], "\(place)")
            }
        }
    }

    @Test("Every reference leads to something, and every schema is referred to")
    func references() {
        var found: Set<String> = []
        func visit(_ value: JSONValue) {
            for element in value.array ?? [] { visit(element) }
            for (key, member) in value.object?.members ?? [] {
                if key == "$ref", let target = member.string { found.insert(target) } else { visit(member) }
            }
        }
        visit(document)
        let names =
            schemas.keys.map { "#/components/schemas/" + $0 }
            + ["Error", "OllamaError", "AnthropicError", "SystemOneError"].map { "#/components/responses/" + $0 }
            + (document["components"]?["parameters"]?.object?.keys ?? []).map { "#/components/parameters/" + $0 }
            + ["#/components/headers/RequestID"]
        #expect(found == Set(names))
    }

    @Test("The document is served")
    func served() async throws {
        let reply = try await WholeReply(
            ServingSupport.server().reply(to: ServerRequest(method: "GET", path: "/openapi.json")))
        #expect(reply.body["openapi"] == "3.1.0" && reply.body == document)
    }

    @Test("What a server does not answer is not in its document")
    func leftOut() throws {
        let server = Server(
            pool: ServingSupport.pool([]), access: AccessRules(), hasPage: false, allowsPulls: false)
        let paths = APIDescription.document(of: server.table, page: [:])["paths"]?.object ?? [:]
        #expect(Set(paths.keys) == Set(server.table.keys) && paths["/"] == nil)
        // Pulls that are not allowed are answered all the same, with 403.
        #expect(self.paths["/"] != nil && paths["/api/pull"] != nil)
    }

    @Test("The fields that requests are read by are those of the document")
    func fields() throws {
        // What the document does not name would be reported as without effect, or the other way round.
        let chat = schemas["ChatRequest"]?["allOf"]?.array?.compactMap { $0["properties"]?.object?.keys }.flatMap { $0 }
        let names = (chat ?? []) + (schemas["Sampling"]?["properties"]?.object?.keys ?? [])
        var body: JSONObject = ["no_such_field": .bool(true)]
        for name in names { body[name] = .null }
        body["messages"] = .array([.object(["role": "user", "content": "Hi"])])
        #expect(try ChatRequest(JSONWriter.bytes(.object(body))).order.ignored == ["no_such_field"])
        #expect(names.count > 25)
    }
}
