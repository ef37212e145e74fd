import Foundation
import LeapTestSupport
import Testing

/// The tutorials: the code of every step compiles, and the last one prints what the tutorial says.
struct TutorialTests {
    private static let folder = "docs/OpenLeap.docc"
    /// The tutorials, each with the program that is built of its last step.
    private static let programs = [
        ("FirstChat", "first-chat"), ("ValuesFromPictures", "pictures"), ("VoiceAssistant", "voice"),
    ]

    /// The files of code of a tutorial, in the order of its steps.
    private static func files(_ tutorial: String) throws -> [String] {
        try Repository.text("\(folder)/\(tutorial).tutorial").matches(of: /@Code\(name: "[^"]+", file: "([^"]+)"/)
            .map { String($0.output.1) }
    }

    /// Runs a program to its end; what it prints goes through a file, as a pipe holds little.
    private static func run(
        _ program: URL, _ arguments: [String], withErrors: Bool = false
    ) async throws -> (status: Int32, output: String) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileHandle(forWritingTo: url)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = file
        if withErrors { process.standardError = file }
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in ended {}
        return (process.terminationStatus, String(decoding: try Data(contentsOf: url), as: UTF8.self))
    }

    @Test("Every file of code is shown by one step, and every tutorial is in the table of contents and in the package")
    func complete() throws {
        let shown = try Self.programs.flatMap { try Self.files($0.0) }
        let there = Repository.files(Self.folder, ".swift", ".txt").compactMap {
            $0.split(separator: "/").last.map(String.init)
        }
        #expect(shown.sorted() == there.sorted())
        #expect(Repository.files(Self.folder, ".tutorial").count == Self.programs.count + 1)
        let contents = try Repository.text("\(Self.folder)/Learn.tutorial")
        let manifest = try Repository.text("Package.swift")
        for (tutorial, name) in Self.programs {
            #expect(contents.contains("@TutorialReference(tutorial: \"doc:\(tutorial)\")"))
            let files = try Self.files(tutorial)
            let output = try #require(files.firstIndex(of: "\(name).txt"))
            let program = "\(Self.folder)/Programs/\(name)"
            #expect(manifest.contains("name: \"tutorial-\(name)\"") && manifest.contains("path: \"\(program)\""))
            #expect(
                Repository.files(program, ".swift") == ["\(program)/\(files[output - 1])"],
                "that of the step before its output")
        }
    }

    @Test("The program at the end prints what the tutorial says", arguments: programs)
    func output(tutorial: String, name: String) async throws {
        let program = try #require(ProgramBesideTests.url("tutorial-\(name)"))
        let (status, text) = try await Self.run(program, [])
        #expect(status == 0)
        #expect(text == (try Repository.text("\(Self.folder)/Output/\(name).txt")))
    }

    #if os(Linux)
        /// The folder into which `swift build` put its modules; nil where the tests were built in another way.
        private static let build = ProgramBesideTests.url("leap")?.deletingLastPathComponent()

        /// Returns the compiler's status and messages for a file.
        private static func check(_ path: String) async throws -> (status: Int32, output: String) {
            let build = try #require(build)
            var flags = ["-I", build.appendingPathComponent("Modules").path]
            for module in try FileManager.default.contentsOfDirectory(atPath: Repository.root.path + "/Sources")
            where module.hasPrefix("CLeap") {
                let map = build.appendingPathComponent("\(module).build/module.modulemap").path
                if FileManager.default.fileExists(atPath: map) { flags += ["-Xcc", "-fmodule-map-file=\(map)"] }
                flags += ["-Xcc", "-I\(Repository.root.path)/Sources/\(module)/include"]
            }
            let plugin = build.appendingPathComponent("LeapSDKMacrosPlugin-tool").path
            let arguments =
                ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Tutorial"]
                + ["-load-plugin-executable", "\(plugin)#LeapSDKMacrosPlugin"] + flags + [path]
            return try await run(URL(fileURLWithPath: "/usr/bin/env"), arguments, withErrors: true)
        }

        @Test("The code of every step compiles without a warning", arguments: programs)
        func compiles(tutorial: String, name: String) async throws {
            let files = try Self.files(tutorial).filter { $0.hasSuffix(".swift") }
            // Later steps hold what earlier ones have.
            for file in TestLevel.cases(files, standard: 2) {
                let path = try #require(Repository.files(Self.folder, "/\(file)").first)
                let (status, output) = try await Self.check("\(Repository.root.path)/\(path)")
                #expect(status == 0, "\(file):\n\(output)")
            }
        }

        @Test("Code that does not compile would be noticed")
        func detection() async throws {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
            try Data("import LeapSDK\nlet runner: Int = Leap.self\n".utf8).write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            let (status, output) = try await Self.check(url.path)
            #expect(status != 0 && output.contains("cannot convert"), "\(output)")
        }
    #endif
}
