import Foundation
import LeapDemoModel
import Testing

/// The program away from the folder that it was built in.
@Suite(.ownThreads)
struct RelocationTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = folder.url.appendingPathComponent("bin/leap")
        try FileManager.default.createDirectory(
            at: program.deletingLastPathComponent(), withIntermediateDirectories: true)
        try copy("leap")
    }

    /// Puts one of the built programs into the folder.
    private func copy(_ name: String) throws {
        // By another process: a program that a process has open for writing, and be it one of another test that was
        // started meanwhile, cannot be run.
        let source = LeapProgram.url.deletingLastPathComponent().appendingPathComponent(name)
        let copy = try Process.run(
            URL(fileURLWithPath: "/bin/cp"),
            arguments: [source.path, program.deletingLastPathComponent().appendingPathComponent(name).path])
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
    }

    private func place(_ path: String) throws -> URL {
        let url = folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: LeapDemoModel.url, to: url)
        return url
    }

    @Test("Without the demo model every command that names it says what is missing and where it was looked for")
    func missing() throws {
        // What measures is a program of its own, which `leap bench` hands over to.
        try copy("leap-tools")
        for arguments in [
            ["demo"], ["inspect", "demo"], ["run", "demo", "--prompt", "Hi"], ["chat", "demo"], ["bench", "demo"],
            ["tokenize", "demo"], ["fits", "demo"], ["pull", "demo"],
        ] {
            let outcome = try LeapProgram.run(arguments, program: program)
            #expect(outcome.status == 1, "\(arguments): \(outcome.status)")
            #expect(outcome.errorLine.hasPrefix("Error: leap-demo-Q8_0.gguf is not in "), "\(outcome.errorLine)")
            #expect(outcome.errorLine.contains("share/open-leap") && !outcome.errorLine.contains("\n"))
        }
    }

    @Test(
        "The demo model is found beside the program, in its bundle, and under share/open-leap, also where a link leads to the program",
        arguments: [
            "bin/leap-demo-Q8_0.gguf", "bin/open-leap_LeapDemoModel.resources/leap-demo-Q8_0.gguf",
            "bin/open-leap_LeapDemoModel.bundle/Contents/Resources/leap-demo-Q8_0.gguf",
            "share/open-leap/leap-demo-Q8_0.gguf", "share/open-leap/open-leap_LeapDemoModel.bundle/leap-demo-Q8_0.gguf",
        ])
    func found(path: String) throws {
        let file = try place(path)
        let link = folder.url.appendingPathComponent("elsewhere/leap")
        try FileManager.default.createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
        for program in [program, link] {
            let outcome = try LeapProgram.run(["inspect", "demo"], program: program)
            #expect(outcome.status == 0 && outcome.output.contains("lfm2"), "\(outcome.errorLine)")
        }
        try FileManager.default.removeItem(at: file)
        #expect(try LeapProgram.run(["inspect", "demo"], program: program).status == 1)
    }
}
