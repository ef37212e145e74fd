/// What answers a path: handlers by method.
///
/// A path without parameter comes before one with; of several with one, that with the longest text before it comes first. So what answers
/// does not depend on the order in which routes were added.
struct RouteTable<Handler: Sendable>: Sendable {
    /// What a path leads to.
    struct Route: Sendable {
        /// The path as it was added: `/v1/models/{model}`.
        let pattern: String
        /// By method; none where the path is answered by nothing, which keeps it from being another route's parameter.
        let handlers: [String: Handler]
        /// What stands in the parameter's place, as it was sent; nil for a path without one.
        var parameter: Substring?
    }

    private var exact: [String: Route] = [:]
    /// Routes with a parameter and the text before it, the longest text first.
    private var prefixed: [(prefix: String, route: Route)] = []

    /// Adds a route; in place of one with the same pattern.
    ///
    /// - Parameter pattern: a path, which may end with a name in braces: that stands for any text, slashes included, but not for none.
    mutating func add(_ pattern: String, _ handlers: [String: Handler]) {
        let route = Route(pattern: pattern, handlers: handlers)
        guard let brace = pattern.firstIndex(of: "{") else {
            exact[pattern] = route
            return
        }
        prefixed.removeAll { $0.route.pattern == pattern }
        let prefix = String(pattern[..<brace])
        let place = prefixed.firstIndex { $0.prefix.utf8.count < prefix.utf8.count } ?? prefixed.endIndex
        prefixed.insert((prefix, route), at: place)
    }

    /// The route of a path; a slash at the end counts for nothing.
    func route(of path: String) -> Route? {
        let plain = path.utf8.count > 2 && path.hasSuffix("/") ? path.dropLast() : path[...]
        if let route = exact[String(plain)] { return route }
        for (prefix, route) in prefixed where plain.hasPrefix(prefix) && plain.utf8.count > prefix.utf8.count {
            var route = route
            route.parameter = plain.dropFirst(prefix.count)
            return route
        }
        return nil
    }

    /// Every path that is answered, with its methods.
    var methods: [String: Set<String>] {
        let routes = exact.values + prefixed.map(\.route)
        return Dictionary(
            routes.filter { !$0.handlers.isEmpty }.map { ($0.pattern, Set($0.handlers.keys)) }, uniquingKeysWith: { $1 }
        )
    }
}
