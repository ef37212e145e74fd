import Testing

@testable import LeapServing

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
            ("/a", [:]), ("/a?", [:]), ("/a?b=c&d", ["b": "c", "d": ""]), ("/a?b=1&b=2#b=3", ["b": "1"]),
            ("/a?include%5B%5D=x.y&include[]=z", ["include": "x.y,z"]), ("/a?%62=%3D&c=%ff", ["b": "="]),
        ] as [(String, [String: String])])
    func query(target: String, expected: [String: String]) {
        #expect(RequestPath.query(of: target) == expected)
    }
}
