import Foundation
import LeapHTTP
import LeapTransfers
import MisbehavingServer

// A process of its own for tests and benchmarks that kill it, race two of them, or measure it.
//   leap-transfer-probe FOLDER URL [CONNECTIONS]   fetches one file; prints its path, bytes, seconds and the peak of
//   resident KiB leap-transfer-probe serve BYTES [RATE]         serves a file of pseudo-random bytes, RATE bytes a
//   second on each connection,
//                                                  until its input ends; prints its address, then the bytes it sent

let arguments = CommandLine.arguments

/// Writes a line at once: whoever reads it waits for it.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

func fail(_ text: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(status)
}

func serve() throws {
    guard arguments.count >= 3, let size = Int(arguments[2]) else { fail("serve needs a number of bytes", status: 2) }
    let rate = arguments.count > 3 ? Int(arguments[3]) : nil
    let content = Content(count: size)
    let server = try Server { request in
        if request.path.hasSuffix(".sha256") { return Reply(status: 404) }
        return request.serve(content).with { $0.bytesPerSecond = rate }
    }
    say(server.url("/model.gguf").absoluteString)
    while let line = readLine() {
        // Any line asks for the count so far.
        _ = line
        say("\(server.bytesSent)")
    }
    server.stop()
}

func fetch() async {
    guard arguments.count >= 3, let url = URL(string: arguments[2]) else {
        fail("usage: leap-transfer-probe FOLDER URL [CONNECTIONS]", status: 2)
    }
    let environment = ProcessInfo.processInfo.environment
    let endpoint = environment["HF_ENDPOINT"].flatMap { URL(string: $0) } ?? URL(fileURLWithPath: "/")
    var configuration = TransferConfiguration(folder: arguments[1], endpoint: endpoint)
    if arguments.count > 3 { configuration.connections = Int(arguments[3]) ?? 4 }
    if let attempts = environment["PROBE_ATTEMPTS"].flatMap({ Int($0) }) { configuration.retry.attempts = attempts }
    if let timeout = environment["PROBE_TIMEOUT"].flatMap({ Double($0) }) { configuration.responseTimeout = timeout }
    configuration.validatesSHA256 = environment["PROBE_NO_HASH"] == nil
    let transport: any Transport =
        environment["PROBE_URLSESSION"] == nil ? StandardTransport.make() : URLSessionTransport()
    let store = ModelStore(configuration: configuration, transport: transport)
    do {
        let began = Date()
        let model = try await store.install(.file(url))
        let seconds = Date().timeIntervalSince(began)
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map { $0.filter(\.isNumber) } ?? "0"
        say("\(model.path(.model) ?? "") \(model.size) \(seconds) \(peak)")
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        if environment["PROBE_USAGE"] != nil { say("\(processorTime())") }
        exit(1)
    }
}

/// Seconds of processor time that this process took so far.
func processorTime() -> Double {
    // Counted in millionths by POSIX.
    Double(clock()) / 1e6
}

if arguments.count > 1, arguments[1] == "serve" {
    try serve()
} else {
    await fetch()
}
