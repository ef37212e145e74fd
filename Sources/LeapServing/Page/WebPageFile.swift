/// A file of the web page.
struct WebPageFile: Sendable {
    /// The name in the folder of the page.
    var name: String
    var text: String

    /// The path that it is served at.
    var path: String { name == "index.html" ? "/" : "/page/\(name)" }

    private var type: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/javascript; charset=utf-8"
        }
    }

    /// The file as a reply.
    var reply: ServerReply {
        var reply = ServerReply.text(text, type: type)
        reply.headers += Self.headers
        return reply
    }

    /// The page runs its own modules and styles, speaks to this server alone, and is shown in no frame.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    private static let headers = [
        (name: "content-security-policy", value: policy), (name: "referrer-policy", value: "no-referrer"),
        (name: "cross-origin-opener-policy", value: "same-origin"),
        (name: "cross-origin-resource-policy", value: "same-origin"),
        // A newer server has a newer page.
        (name: "cache-control", value: "no-cache"),
    ]
}
