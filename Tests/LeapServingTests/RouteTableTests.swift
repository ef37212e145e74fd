import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct RouteTableTests {
    private static func table(_ patterns: [String]) -> RouteTable<String> {
        var table = RouteTable<String>()
        for pattern in patterns { table.add(pattern, ["GET": pattern]) }
        return table
    }

    @Test("The most specific route answers, in whatever order routes were added")
    func specific() {
        let patterns = ["/a/{x}", "/a/b/{x}", "/a/b", "/", "/a/b/c"]
        for shift in patterns.indices {
            let table = Self.table(Array(patterns[shift...] + patterns[..<shift]))
            for (path, pattern, parameter) in [
                ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a/b/", "/a/b", nil), ("/a/b/c", "/a/b/c", nil),
                ("/a/b/d/e", "/a/b/{x}", "d/e"), ("/a/z", "/a/{x}", "z"), ("/a/b%2F/", "/a/{x}", "b%2F"),
            ] as [(String, String, Substring?)] {
                let route = table.route(of: path)
                #expect(route?.pattern == pattern && route?.parameter == parameter, "\(path)")
                #expect(route?.handlers == ["GET": pattern])
            }
            for path in ["", "//", "/a", "/a/", "/A/b", "a/b", "/a//"] {
                #expect(table.route(of: path)?.pattern == nil, "\(path)")
            }
        }
    }

    @Test("A parameter in the middle has no slash, and one at the end any text")
    func several() {
        let patterns = ["/c/{id}", "/c/{id}/items", "/c/{id}/items/{item}"]
        for shift in patterns.indices {
            let table = Self.table(Array(patterns[shift...] + patterns[..<shift]))
            for (path, pattern, parameters) in [
                ("/c/1", "/c/{id}", ["1"]), ("/c/1/items", "/c/{id}/items", ["1"]),
                ("/c/1/items/", "/c/{id}/items", ["1"]), ("/c/1/items/2", "/c/{id}/items/{item}", ["1", "2"]),
                ("/c/1/items/2/3", "/c/{id}/items/{item}", ["1", "2/3"]), ("/c/1/other", "/c/{id}", ["1/other"]),
                ("/c//items", "/c/{id}", ["/items"]),
            ] as [(String, String, [Substring])] {
                let route = table.route(of: path)
                #expect(route?.pattern == pattern && route?.parameters == parameters, "\(path)")
            }
        }
    }

    @Test("A route without handlers keeps its path from being a parameter, and is not listed")
    func withoutHandlers() {
        var table = Self.table(["/r/{id}"])
        table.add("/r/compact", [:])
        table.add("/r/{id}", ["DELETE": "other"])
        #expect(table.route(of: "/r/compact")?.handlers.isEmpty == true)
        #expect(table.route(of: "/r/compac")?.handlers == ["DELETE": "other"])
        #expect(table.methods == ["/r/{id}": ["DELETE"]])
    }
}
