import Foundation
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct PageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/LeapServing/Resources/Page")

    private static var page: [WebPageFile] { get throws { try WebPage.shipped.get().files.values.map { $0 } } }

    @Test("The server finds every file of the page in its resources, at paths that the page's own files name")
    func files() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { !$0.hasPrefix(".") }
        #expect(try Self.page.map(\.name).sorted() == names.sorted() && names.count > 20)
        let paths = Set(try WebPage.shipped.get().files.keys)
        for file in try Self.page {
            let text = try String(contentsOf: Self.folder.appendingPathComponent(file.name), encoding: .utf8)
            #expect(file.text == text)
            let named = text.matches(of: /"(\/page\/[a-z.-]+)"/).map { String($0.output.1) }
            #expect(paths.isSuperset(of: named), "\(file.name)")
        }
        #expect(WebPage(folder: Self.folder.path + "/nothing").files.isEmpty)
    }

    @Test("The page is served under a policy that allows nothing but its own files")
    func policy() async throws {
        let server = try ServingSupport.server()
        for (path, type) in [
            ("/", "text/html"), ("/page/app.js", "text/javascript"), ("/page/style.css", "text/css"),
            ("/page/icon.svg", "image/svg+xml"),
        ] {
            let reply = await server.reply(to: ServerRequest(method: "GET", path: path))
            let headers = Dictionary(reply.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            #expect(reply.status == 200)
            #expect(headers["content-type"]?.hasPrefix(type) == true)
            let policy = try #require(headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; "))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe") && !policy.contains("http"))
        }
    }

    @Test(
        "The page needs no key, as a browser has none to give; what it asks for does, and other names are refused all the same"
    )
    func access() async throws {
        let server = try ServingSupport.server(
            access: AccessRules(key: "secret", hosts: AccessRules.loopbackHosts))
        func status(_ path: String, method: String = "GET", host: String = "localhost:8080") async -> Int {
            await server.reply(to: ServerRequest(method: method, path: path, headers: ["host": host])).status
        }
        #expect(await status("/") == 200)
        #expect(await status("/page/app.js") == 200)
        #expect(await status("/page/nothing.js") == 401)
        #expect(await status("/page/../v1/models") == 401)
        #expect(await status("/v1/models") == 401)
        #expect(await status("/api/pull", method: "POST") == 401)
        #expect(await status("/", host: "evil.example") == 403)
    }

    @Test("--no-page leaves nothing at /; --no-pull refuses")
    func without() async throws {
        let server = Server(
            pool: ServingSupport.pool([try ServingSupport.demo()]), access: AccessRules(), hasPage: false,
            allowsPulls: false)
        #expect(await server.reply(to: ServerRequest(method: "GET", path: "/")).status == 404)
        #expect(await server.reply(to: ServerRequest(method: "GET", path: "/page/app.js")).status == 404)
        #expect(try await server.post("/api/pull", #"{"model": "demo"}"#).status == 403)
    }

    @Test("Nothing in the page makes markup of text, runs text as code, or names another server")
    func modules() throws {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "createContextualFragment",
            "srcdoc", "setHTML", "eval(", "new Function", "onclick=", "onerror=",
        ]
        for file in try Self.page {
            let found = forbidden.filter { file.text.contains($0) }
            #expect(found.isEmpty, "\(file.name)")
        }
    }

    @Test("What a model can do and how it draws tokens is told where Ollama tells it")
    func show() async throws {
        let server = try ServingSupport.server([ServingSupport.demo(), ServingSupport.fixture("embeddings/bert-mean")])
        let chat = try await server.post("/api/show", #"{"model": "demo"}"#)
        #expect(chat.body["capabilities"]?.array?.compactMap(\.string) == ["completion", "tools"])
        let lines = chat.body["parameters"]?.string?.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(lines?.contains(["top_k", "40"]) == true)
        #expect(lines?.contains(["repeat_penalty", "1"]) == true)
        #expect(lines?.first?.first == "temperature")
        let reader = try await server.post("/api/show", #"{"model": "bert-mean"}"#)
        #expect(reader.body["capabilities"]?.array?.compactMap(\.string) == ["embedding"])
    }
}
