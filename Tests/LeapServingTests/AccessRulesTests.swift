import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct AccessRulesTests {
    private func request(
        _ headers: [String: String] = [:], method: String = "POST", path: String = "/v1/chat/completions"
    ) -> ServerRequest {
        ServerRequest(method: method, path: path, headers: headers)
    }

    private func status(_ rules: AccessRules, _ request: ServerRequest) -> Int? {
        do { return try answer(rules, request)?.status } catch { return error.status }
    }

    private func answer(_ rules: AccessRules, _ request: ServerRequest) throws(APIError) -> ServerReply? {
        var request = request
        return try rules.check(&request)
    }

    @Test(
        "The key is compared as a whole",
        arguments: [
            (nil, 401), ("Bearer secret", nil), ("bearer secret", nil), ("Bearer secre", 401), ("Bearer secrets", 401),
            ("Bearer secretsecret", 401), ("Bearer ", 401), ("Bearer", 401), ("Basic secret", 401), ("secret", 401),
        ] as [(String?, Int?)])
    func key(authorization: String?, expected: Int?) {
        let rules = AccessRules(key: "secret")
        let headers = authorization.map { ["authorization": $0] } ?? [:]
        #expect(status(rules, request(headers)) == expected)
        #expect(status(rules, request(headers, method: "GET", path: "/metrics")) == expected)
        #expect(status(rules, request(headers, method: "GET", path: "/health")) == nil)
    }

    @Test(
        "A server on this machine answers to its names only, whatever the port",
        arguments: [
            ("localhost", nil), ("LOCALHOST:8080", nil), ("127.0.0.1:1", nil), ("[::1]:8080", nil), ("[::1]", nil),
            ("evil.example", 403), ("evil.example:8080", 403), ("localhost.evil.example", 403), ("[::2]:80", 403),
            ("", 403), (":8080", 403),
        ] as [(String, Int?)])
    func hosts(host: String, expected: Int?) {
        let rules = AccessRules(hosts: AccessRules.loopbackHosts)
        #expect(status(rules, request(["host": host])) == expected)
        #expect(status(AccessRules(), request(["host": host])) == nil)
    }

    @Test("A page causes nothing unless its origin is allowed, or is the server's own")
    func origins() {
        let page = ["origin": "https://page.example", "host": "localhost:8080"]
        #expect(status(AccessRules(), request(page)) == 403)
        #expect(status(AccessRules(), request(page, method: "OPTIONS")) == 403)
        #expect(status(AccessRules(), request(["origin": "null", "host": "localhost:8080"])) == 403)
        let own = ["origin": "http://localhost:8080", "host": "localhost:8080"]
        #expect(status(AccessRules(), request(own)) == nil)
        #expect(status(AccessRules(origins: ["https://page.example"]), request(page)) == nil)
        #expect(status(AccessRules(origins: ["https://page.example.evil"]), request(page)) == 403)
        #expect(status(AccessRules(origins: ["*"]), request(page)) == nil)
    }

    @Test("A browser's preflight request is answered without the key, which it cannot send")
    func preflight() throws {
        let rules = AccessRules(key: "secret", origins: ["https://page.example"])
        let reply = try #require(
            try answer(rules, request(["origin": "https://page.example"], method: "OPTIONS")))
        #expect(reply.status == 204)
        #expect(
            reply.headers.contains { $0.name == "access-control-allow-origin" && $0.value == "https://page.example" })
        #expect(status(rules, request(["origin": "https://page.example"])) == 401)
    }

    @Test("A preflight allows the headers that a page asks for, and private networks where it asks for them")
    func headersOfPages() throws {
        let rules = AccessRules(origins: ["https://page.example"])
        func answer(_ headers: [String: String]) throws -> [String: String] {
            let headers = headers.merging(["origin": "https://page.example"]) { $1 }
            let reply = try #require(try self.answer(rules, request(headers, method: "OPTIONS")))
            return Dictionary(reply.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        }
        let asked = try answer([
            "access-control-request-headers": "authorization,Content-Type, x-stainless-lang,x-title",
            "access-control-request-private-network": "true",
        ])
        #expect(asked["access-control-allow-headers"] == "authorization, content-type, x-stainless-lang, x-title")
        #expect(asked["access-control-allow-private-network"] == "true")
        #expect(asked["vary"]?.contains("access-control-request-headers") == true)
        let plain = try answer([:])
        #expect(plain["access-control-allow-headers"] == "authorization, content-type")
        #expect(plain["access-control-allow-private-network"] == nil)
        for odd in ["", ",,", "a b\r\nset-cookie: x", "é", "x\u{0}y", String(repeating: "x", count: 10_000)] {
            let found = try answer(["access-control-request-headers": odd])["access-control-allow-headers"] ?? ""
            #expect(found.utf8.count < 100 && !found.contains(where: \.isNewline), "\(odd.prefix(20)): \(found)")
        }
        let many = try answer([
            "access-control-request-headers": (0..<1000).map { "x-\($0)" }.joined(separator: ",")
        ])
        #expect(many["access-control-allow-headers"]?.split(separator: ",").count == 64)
        // Other pages learn nothing.
        let other = request(
            ["origin": "https://other.example", "access-control-request-headers": "x"], method: "OPTIONS")
        #expect(status(rules, other) == 403)
    }

    @Test("Replies name an origin only where it is allowed")
    func replies() {
        let rules = AccessRules(origins: ["https://page.example"])
        for (origin, expected) in [("https://page.example", true), ("https://other.example", false)] {
            let reply = rules.complete(.text("x"), for: request(["origin": origin], method: "GET"))
            #expect(reply.headers.contains { $0.name == "access-control-allow-origin" } == expected)
        }
    }
}
