import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct RequestPathTests {
    @Test(
        "The path is what stands between the host and the query",
        arguments: [
            ("/a/b?c=/d", "/a/b"), ("/a#b", "/a"), ("http://host:80/a?b", "/a"), ("http://host", "/"),
            ("http://host?a=/b", "/"), ("http://", "/"), ("/http://x/y", "/http://x/y"), ("*", "*"), ("", ""),
            ("//a", "//a"), ("/?", "/"), ("?", ""),
        ])
    func path(target: String, expected: String) {
        #expect(RequestPath.of(target: target) == expected)
    }

    @Test(
        "Escapes are decoded, and those that hide something are refused",
        arguments: [
            ("a%2Fb", "a/b"), ("%64emo", "demo"), ("hf%3Aa", "hf:a"), ("%C3%A4", "ä"), ("a b", "a b"), ("", ""),
            ("%", nil), ("%a", nil), ("%zz", nil), ("%00", nil), ("%0d%0a", nil), ("%7f", nil), ("%ff", nil),
            ("%c3", nil),
        ] as [(String, String?)])
    func decoded(part: String, expected: String?) {
        #expect(RequestPath.decoded(part[...]) == expected)
    }

    @Test(
        "A query has decoded names and values; the values of a list are joined",
        arguments: [
            ("/a", [:]), ("/a?", [:]), ("/a?b=c&d", ["b": "c", "d": ""]), ("/a?b=1#b=3", ["b": "1"]),
            ("/a?b=1&b[]=2&b[]=3", ["b": "1,2,3"]),
            ("/a?include%5B%5D=x.y&include[]=z", ["include": "x.y,z"]), ("/a?%62=%3D", ["b": "="]),
        ] as [(String, [String: String])])
    func query(target: String, expected: [String: String]) {
        let query = RequestQuery(target: target)
        for name in ["b", "c", "d", "include"] { #expect(query[name] == expected[name], "\(name)") }
        #expect(throws: Never.self) { try query.check() }
    }

    @Test("Control characters, escapes that are none and bytes that are no UTF-8 are refused, in names and values")
    func unreadable() async throws {
        for query in ["a=%00", "a=b%0d%0ac", "%07=1", "a=%", "a=%zz", "c=%ff", "a=\u{1}"] {
            var request = ServerRequest(method: "GET", path: "/health")
            request.query = RequestQuery(target: "/health?" + query)
            let reply = try await WholeReply(ServingSupport.server().reply(to: request))
            #expect(
                reply.status == 400 && reply.body["error"]?["message"]?.string?.contains("query") == true, "\(query)")
        }
    }

    @Test("A parameter that is no list and comes twice is refused by name, on every path")
    func repeated() async throws {
        for target in ["/props?model=demo&model=demo", "/health?a=1&%61=2", "/v1/realtime?model=a&model=b"] {
            var request = ServerRequest(method: "GET", path: RequestPath.of(target: target))
            request.query = RequestQuery(target: target)
            let server = try ServingSupport.server()
            let reply = try await WholeReply(server.reply(to: request))
            #expect(
                reply.status == 400
                    && reply.body["error"]?["param"]?.string == (target.contains("model") ? "model" : "a"))
            #expect(server.realtimeConnection(request) == nil)
        }
    }
}
