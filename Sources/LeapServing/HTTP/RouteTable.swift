/// The handlers of all paths, by method.
///
/// A path without parameter comes before one with; of several with one, that with the longest text outside of its
/// parameters comes first. So the order in which routes were added makes no difference.
struct RouteTable<Handler: Sendable>: Sendable {
    /// The handlers of a path.
    struct Route: Sendable {
        /// The path as it was added: `/v1/models/{model}`.
        let pattern: String
        /// The handlers by method; a path without any is refused, and is not taken for another route's parameter.
        let handlers: [String: Handler]
        /// The parts of the path in the places of the parameters, as they were sent.
        var parameters: [Substring] = []

        /// The first parameter; nil for a path without one.
        var parameter: Substring? { parameters.first }
    }

    /// A route with parameters.
    private struct Prefixed: Sendable {
        /// The texts in front of, between and behind the parameters; the last is empty where the path ends with a
        /// parameter.
        let texts: [Substring]
        let route: Route

        var textLength: Int { texts.reduce(0) { $0 + $1.utf8.count } }

        /// The parameters of a path; nil where it is another one's.
        func parameters(of path: Substring) -> [Substring]? {
            guard let first = texts.first, path.hasPrefix(first) else { return nil }
            var rest = path.dropFirst(first.count)
            var found: [Substring] = []
            for (index, text) in texts.enumerated().dropFirst() {
                let isLast = index == texts.count - 1
                // The last parameter may have slashes: names of models do.
                let parameter = isLast && text.isEmpty ? rest : rest.prefix { $0 != "/" }
                rest = rest.dropFirst(parameter.count)
                guard !parameter.isEmpty, rest.hasPrefix(text) else { return nil }
                rest = rest.dropFirst(text.count)
                found.append(parameter)
            }
            return rest.isEmpty ? found : nil
        }
    }

    private var exact: [String: Route] = [:]
    /// Routes with parameters, those with the longest text first.
    private var prefixed: [Prefixed] = []

    /// Adds a route; in place of one with the same pattern.
    ///
    /// - Parameter pattern: a path, which may have names in braces: one at the end stands for any text, slashes
    ///   included, but not for none; others stand for a text without slashes.
    mutating func add(_ pattern: String, _ handlers: [String: Handler]) {
        let route = Route(pattern: pattern, handlers: handlers)
        guard pattern.contains("{") else {
            exact[pattern] = route
            return
        }
        prefixed.removeAll { $0.route.pattern == pattern }
        let pieces = pattern.split(separator: "{", omittingEmptySubsequences: false)
        let texts = pieces.enumerated().map { $0 == 0 ? $1 : $1.drop { $0 != "}" }.dropFirst() }
        let added = Prefixed(texts: texts, route: route)
        let place = prefixed.firstIndex { $0.textLength < added.textLength } ?? prefixed.endIndex
        prefixed.insert(added, at: place)
    }

    /// Has a path answered as another one that was added, which has no parameter; it is not among those of ``methods``.
    mutating func add(alias path: String, of pattern: String) { exact[path] = exact[pattern] }

    /// The route of a path; a slash at the end counts for nothing.
    func route(of path: String) -> Route? {
        let plain = path.utf8.count > 2 && path.hasSuffix("/") ? path.dropLast() : path[...]
        if let route = exact[String(plain)] { return route }
        for candidate in prefixed {
            guard let parameters = candidate.parameters(of: plain) else { continue }
            var route = candidate.route
            route.parameters = parameters
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
