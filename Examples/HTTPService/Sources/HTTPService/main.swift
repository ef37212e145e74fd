import Hummingbird
import LeapDemoModel
import LeapSDK

// A web service with a model of its own inside of it: no other server, and types of yours as answers.
//
//     swift run HTTPService [PORT [MODEL.gguf]]
//
// POST /answer, /stream and /city take {"question": "…"}.
let arguments = CommandLine.arguments.dropFirst()
guard let port = Int(arguments.first ?? "8080"), (0...65535).contains(port) else {
    print("usage: HTTPService [PORT [MODEL.gguf]]")
    exit(64)
}
let model = try arguments.dropFirst().first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url
let assistant = try await Assistant(model: model)

/// A context that takes bodies of up to 64 KiB.
struct Context: RequestContext {
    var coreContext: CoreRequestContextStorage
    var maxUploadSize: Int { 65_536 }
    var responseEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    init(source: Source) { coreContext = .init(source: source) }
}

let router = Router(context: Context.self)
router.add(middleware: ModelErrors())
router.get("health") { _, _ in "ok\n" }
router.post("answer") { [assistant] request, context in
    try await assistant.answer(to: request.decode(as: Question.self, context: context))
}
router.post("city") { [assistant] request, context in
    try await assistant.city(request.decode(as: Question.self, context: context))
}
router.post("stream") { [assistant] request, context in
    let pieces = assistant.pieces(for: try await request.decode(as: Question.self, context: context))
    return Response(
        status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody { writer in
            // A client that goes away makes a write fail, which ends the loop and with it the generation.
            for try await response in pieces {
                if case .chunk(let text) = response { try await writer.write(ByteBuffer(string: text)) }
            }
            try await writer.finish(nil)
        })
}

let application = Application(
    router: router,
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: "HTTPService"),
    onServerRunning: { channel in
        FileHandle.standardError.write(Data("listening at port \(channel.localAddress?.port ?? 0)\n".utf8))
    })
try await application.runService()
