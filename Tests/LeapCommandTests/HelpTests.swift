import Foundation
import LeapTestSupport
import Testing

@testable import LeapCommandLine
@testable import LeapGPU

/// Help in its other forms: manual pages, completions, and what `leap doctor` tells.
@Suite(.ownThreads)
struct HelpTests {
    @Test(
        "A command that is none is told which one was meant",
        arguments: [
            (["rum"], "did you mean “leap run”?"), (["caht", "demo"], "did you mean “leap chat”?"),
            (["ls"], "use “leap list”"), (["schema", "chekc"], "did you mean “leap schema check”?"),
            (["cache", "frobnicate"], "there are info, clear"), (["x.gguf"], "“leap run x.gguf PROMPT”"),
        ])
    func unknownCommands(arguments: [String], words: String) throws {
        let outcome = try LeapProgram.run(arguments)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("Names are near by letters that are missing, too many, wrong or exchanged, and by their beginning")
    func nearNames() {
        let names = ["run", "rm", "render", "/stats", "temperature"]
        for (word, name) in [
            ("rum", "run"), ("RUN", "run"), ("rnu", "run"), ("redner", "render"), ("/stat", "/stats"),
            ("temprature", "temperature"), ("temp", "temperature"), ("xyz", nil), ("", nil),
        ] as [(String, String?)] {
            #expect(NearestName.of(word, among: names) == name, "\(word)")
        }
        #expect(NearestName.of(String(repeating: "a", count: 1 << 20), among: names) == nil)
    }

    @Test("Defaults in help are what is typed")
    func defaults() throws {
        for command in ["chat", "run", "voice", "embed"] {
            let help = try LeapProgram.run(command, "--help").output
            #expect(!help.contains("Argument("), "\(command)")
        }
    }

    @Test("doctor tells every fact in one line, and as JSON")
    func doctor() throws {
        let outcome = try LeapProgram.run(["doctor"], environment: ["LEAP_HOME": "/somewhere"])
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        for name in [
            "version", "program", "system", "processor", "instruction set", "memory", "models", "disk", "demo model",
            "server",
        ] {
            #expect(lines.count { $0.hasPrefix("\(name)  ") } == 1, "\(name)")
        }
        #expect(outcome.output.contains("/somewhere/leap_models") && outcome.output.contains("scalar"))
        #expect(lines.contains { $0.hasPrefix("gpu") })
        let json = try LeapProgram.run(["doctor", "--json"])
        let object = try JSONDecoder().decode([String: String].self, from: Data(json.output.utf8))
        #expect(object.count == lines.count)
    }

    @Test("doctor tells every GPU with its driver and memory, and why one is not used")
    func doctorGPUs() throws {
        func lines(_ environment: [String: String]) throws -> [String] {
            let outcome = try LeapProgram.run(["doctor"], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errorLine)")
            return outcome.output.split(separator: "\n").map(String.init).filter { $0.hasPrefix("gpu") }
        }
        // A loader that finds no driver; on systems without one there is no other line either.
        let none = try lines(["VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json", "LEAP_GPU": ""])
        #expect(none.count == 1 && none[0].hasPrefix("gpu               none is used: "), "\(none)")
        #expect(none[0].contains("install"))
        let named = try lines(["LEAP_GPU": "no such device"])
        #expect(named.last?.hasPrefix("gpu               none is used: ") == true)
        guard named.count > 1 else { return }
        #expect(named.last?.contains("no GPU is named “no such device”") == true)
        let first = try lines(["LEAP_GPU": "0"])
        #expect(first.first?.hasPrefix("gpu 0             ") == true, "\(first)")
        #expect(
            first.first?.contains("used, because LEAP_GPU names it") == true
                && first.first?.contains(", driver ") == true)
    }

    @Test("A device's line has its name, driver, memory, and whether it is used")
    func gpuLines() {
        func device(_ name: String, _ kind: GPUProperties.Kind, isUnified: Bool, obstacle: String?) -> GPUProperties {
            GPUProperties(
                name: name, driver: "made", kind: kind, memoryByteCount: 2_000_000_000, isUnified: isUnified,
                bindingByteCount: 1, bufferByteCount: 1, bindingAlignment: 1, hostMemoryAlignment: nil,
                groupCounts: [1, 1, 1], subgroupSize: 1, obstacle: obstacle)
        }
        let survey = GPUSurvey(
            [
                device("Soft", .processor, isUnified: true, obstacle: nil),
                device("Old", .discrete, isUnified: false, obstacle: "its driver has no subgroup shuffles"),
            ], choice: nil)
        let lines = MachineFacts.gpus(survey)
        #expect(lines.map(\.name) == ["gpu 0", "gpu 1", "gpu"])
        #expect(
            lines.map(\.value) == [
                "Soft, driver made, 2.00 GB shared with the processor; used only if you name it: it runs on the processor",
                "Old, driver made, 2.00 GB; not used: its driver has no subgroup shuffles",
                "none is used: Old is not used: its driver has no subgroup shuffles",
            ])
    }

    @Test("Every command has a page of the manual with every option that its help has")
    func manual() throws {
        let folder = try TemporaryFolder()
        #expect(try LeapProgram.run(["manual", "--into", folder.path("man")]).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("man"))
        #expect(names.contains("leap.1") && names.contains("leap-schema-check.1") && names.count > 20)
        // The help of serve is that of another program.
        for name in TestLevel.cases(names.filter { $0 != "leap-serve.1" }.sorted(), standard: 8) {
            let text = try String(contentsOfFile: folder.path("man/\(name)"), encoding: .utf8)
            // A page's name has a hyphen between a command and those below it, and within fill-mask.
            let command =
                name == "leap-fill-mask.1"
                ? ["fill-mask"] : name.dropLast(2).split(separator: "-").dropFirst().map(String.init)
            let help = try LeapProgram.run(command + ["--help"])
            #expect(help.status == 0, "\(name)")
            let options = help.output.matches(of: /(?m)^ +(?:-\w, )?(--[a-z-]+)/).map { String($0.output.1) }
            for option in options {
                #expect(text.contains(option.replacingOccurrences(of: "-", with: "\\-")), "\(name): \(option)")
            }
            #expect(text.hasPrefix(".TH ") && text.contains("\n.SH NAME\n"))
            #expect(!text.contains("\n\n"), "\(name): empty lines are not for roff")
        }
        let first = try LeapProgram.run(["manual"])
        #expect(try first.output == String(contentsOfFile: folder.path("man/leap.1"), encoding: .utf8))
        #expect(try LeapProgram.run(["manual", "--into", "/proc/nowhere"]).status == 1)
    }

    @Test("models tells every architecture in a line, and as JSON")
    func architectures() throws {
        let lines = try LeapProgram.run(["models"]).output.split(separator: "\n")
        let json = try LeapProgram.run(["models", "--json"]).output.split(separator: "\n")
        #expect(lines.count == json.count && lines.contains { $0.hasPrefix("lfm2 ") && $0.contains("LFM2-VL") })
        for (line, text) in zip(lines, json) {
            let object = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            #expect(Set(object.keys) == ["architecture", "models", "since", "purpose", "layers"])
            #expect(line.split(separator: " ").first.map(String.init) == object["architecture"])
        }
    }

    @Test("Completions are written for three shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let outcome = try LeapProgram.run(["--generate-completion-script", shell])
        #expect(outcome.status == 0 && outcome.output.contains("thinking") && outcome.output.contains("q8_0"))
    }

    @Test("A model is completed from the embedded one, quantizations, folders and files of models")
    func models() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("some.gguf", Data())
        _ = try folder.file("some.txt", Data())
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        func offered(_ prefix: String) throws -> [String] {
            let outcome = try LeapProgram.run(
                ["---completion", "run", "--", "positional@0", "2", "\(prefix.utf8.count)", "leap", "run", prefix],
                environment: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2", "LEAP_HOME": folder.path("home")])
            return outcome.output.split(separator: "\n").map(String.init)
        }
        #expect(try offered("de").first == "demo")
        #expect(try offered("\(folder.url.path)/s") == [folder.path("some.gguf"), folder.path("sub") + "/"])
        #expect(try offered("LFM2-1.2B:Q4").contains { $0.hasSuffix("Q4_K_M") })
        #expect(try offered("hf:owner/name:").contains { $0.hasSuffix("Q8_0") })
    }
}
