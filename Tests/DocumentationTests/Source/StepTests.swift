import Foundation
import LeapTestSupport
import Testing

/// True where `.ci/memory` can say what would run.
private let canAsk =
    FileManager.default.fileExists(atPath: Repository.root.appending(path: ".git").path)
    && ["/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }

/// The steps of `.ci/run` that a change has run again.
@Suite(.enabled(if: canAsk, "skipped: this is no checkout of git, or there is no python3"))
struct StepTests {
    private static func output(_ command: [String]) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = Repository.root
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
        return text
    }

    /// The plan without a change, and behind it one for each of ``changes``.
    private static let plans = Result { try output([".ci/memory", "plan", "--each"] + Self.changes.map(\.file)) }

    /// The hash of each step, in order, of each plan.
    private static func hashes() throws -> [[(step: String, hash: String)]] {
        try plans.get().components(separatedBy: "\n\n").map { plan in
            try plan.split(separator: "\n").map { line -> (step: String, hash: String) in
                let fields = line.split(separator: "\t").map(String.init)
                return (try #require(fields.count == 4 ? fields[1] : nil), fields[2])
            }
        }
    }

    private static let always: Set = [
        "the first command of the README: swift run leap demo", "no warnings in our own sources",
        "the second command of the README: swift test",
    ]

    /// Steps by a word of theirs that has them run, for a file of each kind.
    ///
    /// `//` in front of a file: only its comments have changed.
    private static let changes = TestLevel.cases(allChanges, standard: 8)

    private static let allChanges: [(file: String, runs: [String], skips: [String])] = [
        (
            "Sources/CLeapKernels/x86/token_avx2.h",
            [
                "kernels for Arm", "with optimisation and without", "LEAP_TESTS=all: the engine", "HTTP server",
                "for GPUs",
            ],
            ["what a release", "a program without Foundation"]
        ),
        (
            "Sources/LeapTemplate/Builtins/FilterCall+Text.swift",
            ["grammars, templates and the API", "HTTP server", "without Foundation", "at a terminal"],
            ["kernels for Arm", "for GPUs", "LEAP_TESTS=all: the engine", "with optimisation and without"]
        ),
        (
            "//Sources/CLeapKernels/matmul.c", [],
            ["kernels", "LEAP_TESTS=all", "HTTP server", "optimised build", "Apple", "later versions"]
        ),
        (
            "//Sources/LeapServing/Server.swift", ["formatting", "documentation as a site"],
            ["HTTP server", "in a browser", "LEAP_TESTS=all", "Apple", "later versions", "public API", "longest path"]
        ),
        (
            "docs/Chat.md", ["documentation as a site"],
            [
                "formatting", "HTTP server", "in a browser", "kernels for Arm", "for GPUs", "LEAP_TESTS=all",
                "optimised build",
                "public API",
            ]
        ),
        (
            "Examples/Batch/README.md", ["the examples", "documentation as a site"],
            ["HTTP server", "for GPUs", "LEAP_TESTS=all", "0.10.8", "public API"]
        ),
        (
            "Sources/LeapGPU/Kernels/norm.slang", ["for GPUs"],
            ["formatting", "HTTP server", "layers on a GPU", "kernels for Arm", "with optimisation and without"]
        ),
        (
            "Sources/LeapGPU/Resources/vulkan.kernels", ["for GPUs", "layers on a GPU", "HTTP server"],
            ["kernels for Arm", "with optimisation and without", "without Foundation"]
        ),
        (
            "Sources/LeapServing/Resources/Page/index.html", ["in a browser", "HTTP server"],
            ["at a terminal", "for GPUs", "kernels for Arm", "LEAP_TESTS=all: the engine", "0.10.8", "formatting"]
        ),
        (
            "Sources/LeapServing/Server.swift", ["in a browser", "HTTP server", "transfers, servers and commands"],
            ["at a terminal", "for GPUs", "kernels for Arm", "LEAP_TESTS=all: the engine", "without Foundation"]
        ),
        (
            "Tests/Clients/page.py", ["in a browser"],
            ["HTTP server", "at a terminal", "for GPUs", "LEAP_TESTS=all", "documentation as a site"]
        ),
        (
            ".ci/arm-kernels", ["kernels for Arm"],
            ["HTTP server", "formatting", "for GPUs", "LEAP_TESTS=all", "documentation as a site"]
        ),
    ]

    @Test("A change of a file has those steps run that look at it, and no others")
    func changes() throws {
        let plans = try Self.hashes()
        let before = plans[0]
        #expect(plans.count == Self.changes.count + 1)
        for (change, after) in zip(Self.changes, plans.dropFirst()) {
            #expect(after.map(\.step) == before.map(\.step))
            let run = zip(before, after).filter { $0.hash != $1.hash }.map(\.0.step)
            for word in change.runs {
                #expect(run.contains { $0.contains(word) }, "\(change.file): \(word) does not run")
            }
            for word in change.skips { #expect(!run.contains { $0.contains(word) }, "\(change.file): \(word) runs") }
            #expect(run.isEmpty == change.runs.isEmpty && run.count < before.count)
        }
    }

    @Test("Each step of the table is carried out by .ci/run, and the README's commands each time")
    func table() throws {
        let script = try Repository.text(".ci/run")
        let steps = try Self.hashes()[0].map(\.step)
        let carriedOut = script.matches(of: /(?m)^ *step "(.+)"$/).map { String($0.output.1) }
        #expect(carriedOut.count == steps.count && Set(carriedOut) == Set(steps))
        for step in Self.always { #expect(steps.contains(step)) }
        let plan = try Self.plans.get().split(separator: "\n").prefix(steps.count)
        for step in Self.always { #expect(plan.contains { $0.hasPrefix("run\t\(step)\t") }, "\(step)") }
        let all = try Self.output([".ci/memory", "plan", "--all"]).split(separator: "\n")
        #expect(all.count == steps.count && all.allSatisfy { $0.hasPrefix("run\t") })
    }

    @Test("A script that starts a program has built it, as the step before may have been skipped")
    func programs() throws {
        var found: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: ".ci").path) {
            guard let script = try? Repository.text(".ci/\(name)"), script.hasPrefix("#!") else { continue }
            for match in script.matches(of: /\.build\/(?:debug|release)\/([A-Za-z][\w-]*)/) {
                let program = String(match.output.1)
                found.insert(program)
                #expect(script.contains("--product \(program)"), ".ci/\(name) does not build \(program)")
            }
        }
        #expect(found.isSuperset(of: ["leap", "leap-server", "Hybrid"]))
    }
}
