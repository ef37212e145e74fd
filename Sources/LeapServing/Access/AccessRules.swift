import LeapOpenAIFormat

/// The rules for keys, hosts and origins of requests.
package struct AccessRules: Sendable {
    /// Demanded as a bearer token, or in the header `x-api-key` as Anthropic's clients send it; nil where none is.
    package var key: String?
    /// The keys of a file, any of which will do; nil where there is none.
    package var keys: KeyRing?
    /// Names of this server, lower case and without ports, that requests may be addressed to; nil for any.
    ///
    /// A page in a browser can reach a loopback address under a name of its own by changing that name's address (DNS
    /// rebinding); such requests carry the name.
    package var hosts: Set<String>?
    /// Origins of pages that may read replies; "*" for all.
    package var origins: Set<String> = []

    package init(
        key: String? = nil, keys: KeyRing? = nil, hosts: Set<String>? = nil, origins: Set<String> = []
    ) {
        self.key = key
        self.keys = keys
        self.hosts = hosts
        self.origins = origins
    }

    /// The names of a server on the loopback address.
    package static let loopbackHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// Checks a request, and notes whose key of several it has.
    ///
    /// - Returns: the reply to a preflight request of a browser; nil for all others.
    /// - Throws: ``APIError`` for requests that are not answered.
    func check(_ request: inout ServerRequest) throws(APIError) -> ServerReply? {
        if let hosts, let host = request.headers["host"], !hosts.contains(Self.name(host)) {
            throw APIError(
                status: 403, type: .permission,
                message: "this server does not have the host name \(HeaderText.safe(host)); start it with --allow-host")
        }
        if request.method == "OPTIONS", let origin = request.headers["origin"], allows(origin) {
            return Self.preflight(request, origin)
        }
        // A page that may not read replies may not cause them either.
        if let origin = request.headers["origin"], request.method != "GET", !allows(origin), !isOwn(origin, request) {
            throw APIError(
                status: 403, type: .permission,
                message: "pages of \(HeaderText.safe(origin)) may not use this server; start it with --allow-origin")
        }
        if request.path != "/health" { request.holder = try holder(of: request) }
        return nil
    }

    /// Returns the answer to a browser's question before a page of another origin sends a request: its method, headers,
    /// and whether it may reach a private network (WICG Private Network Access).
    private static func preflight(_ request: ServerRequest, _ origin: String) -> ServerReply {
        var headers: [(name: String, value: String)] = [
            ("access-control-allow-origin", origin), ("access-control-allow-methods", "GET, POST, DELETE"),
            ("access-control-allow-headers", allowedHeaders(request.headers["access-control-request-headers"])),
            (
                "vary",
                "origin, access-control-request-headers, access-control-request-private-network"
            ), ("access-control-max-age", "600"),
        ]
        if request.headers["access-control-request-private-network"]?.lowercased() == "true" {
            headers.append(("access-control-allow-private-network", "true"))
        }
        return ServerReply(status: 204, headers: headers, body: .bytes([]))
    }

    /// The headers that a page asks for, as far as they are names of headers: clients add some of their own, and what
    /// has no meaning here does no harm.
    private static func allowedHeaders(_ asked: String?) -> String {
        let names = (asked ?? "").lowercased().split(separator: ",").prefix(64).map {
            String($0.filter { $0 != " " && $0 != "\t" })
        }
        let known = names.filter { name in
            !name.isEmpty && name.utf8.count <= 128
                && name.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                        || $0 == UInt8(ascii: "_")
                }
        }
        return known.isEmpty ? "authorization, content-type" : known.joined(separator: ", ")
    }

    /// Checks a request to go on as a WebSocket, which a browser lets any page make and read, and notes whose key of
    /// several it has.
    func checkSocket(_ request: inout ServerRequest) throws(APIError) {
        var posted = request
        posted.method = "POST"
        _ = try check(&posted)
        request.holder = posted.holder
    }

    /// Checks a request that has a program on this machine do something: of pages only the server's own may make it,
    /// whatever the others are allowed.
    func checkOwnPage(_ request: ServerRequest) throws(APIError) {
        let origin = request.headers["origin"]
        // Browsers name no origin where they only read.
        let site = request.headers["sec-fetch-site"] ?? "same-origin"
        guard origin.map({ isOwn($0, request) }) ?? true, ["same-origin", "none"].contains(site) else {
            throw APIError(
                status: 403, type: .permission,
                message:
                    "only the page of this server may use the tools of MCP servers, not \(origin.map { "pages of \(HeaderText.safe($0))" } ?? "other pages")"
            )
        }
    }

    /// Returns the holder of a request's key among several; nil where no key is needed, and for the one key.
    private func holder(of request: ServerRequest) throws(APIError) -> KeyHolder? {
        // The page's files hold no secret, and a browser asks for them without a key.
        guard key != nil || keys != nil, WebPage.shippedFiles[request.path] == nil else { return nil }
        let header = request.headers["authorization"] ?? ""
        let given =
            header.lowercased().hasPrefix("bearer ")
            ? String(header.dropFirst(7)) : request.headers["x-api-key"] ?? SocketProtocols(request).key
        if let given {
            if let key, AccessKey.isEqual(given, key) { return nil }
            if let holder = keys?.holder(of: given) { return holder }
        }
        throw APIError(
            status: 401, type: .authentication,
            message:
                "this server requires \(keys == nil ? "its key" : "a key") as “Authorization: Bearer KEY” or “x-api-key: KEY”",
            code: "invalid_api_key")
    }

    /// Adds what a browser needs to let a page read the reply.
    func complete(_ reply: ServerReply, for request: ServerRequest) -> ServerReply {
        guard let origin = request.headers["origin"], allows(origin) else { return reply }
        var reply = reply
        reply.headers += [
            ("access-control-allow-origin", origin), ("vary", "origin"),
            ("access-control-expose-headers", "retry-after, warning, x-request-id"),
        ]
        return reply
    }

    private func allows(_ origin: String) -> Bool { origins.contains("*") || origins.contains(origin) }

    /// Returns true if a page comes from this server itself.
    private func isOwn(_ origin: String, _ request: ServerRequest) -> Bool {
        guard let host = request.headers["host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// A host header without its port.
    private static func name(_ host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return host.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init) ?? host
    }
}
