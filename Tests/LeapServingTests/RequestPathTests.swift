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
}
