import Foundation
import Testing

/// The files that a release is made of agree with each other.
struct ReleaseTests {
    private static func version() throws -> String {
        let text = try Repository.text("Sources/LeapBase/PackageVersion.swift")
        return String(try #require(text.firstMatch(of: /static let text = "([^"]+)"/)?.output.1))
    }

    @Test("PackageVersion.swift alone has the version; documents that tell how to depend on the package name it")
    func oneVersion() throws {
        let version = try Self.version()
        #expect(version.wholeMatch(of: /\d+\.\d+\.\d+(-[\w.]+)?/) != nil)
        var named: [Substring] = []
        for path in Repository.files("Sources", ".md") + Repository.files("docs", ".md") + ["README.md"] {
            for match in try Repository.text(path).matches(of: /open-leap\/open-leap", (\w+: "[^"]+")/) {
                named.append(match.output.1)
            }
        }
        // All name the version, or all the branch as long as no version has a tag.
        #expect(named.count >= 2 && Set(named).count == 1)
        #expect(named.allSatisfy { $0 == "from: \"\(version)\"" || $0 == "branch: \"main\"" })
        let scripts = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appendingPathComponent("Scripts").path
        ).filter { !$0.contains(".") && $0 != "__pycache__" }.map { "Scripts/\($0)" }
        #expect(scripts.contains("Scripts/release") && scripts.contains("Scripts/package"))
        for path in scripts + ["Package.swift", "Formula/leap.rb", "Containerfile"] {
            #expect(try !Repository.text(path).contains("\"\(version)\""), "\(path)")
        }
        for path in Repository.files("Sources", ".swift") where !path.hasSuffix("/PackageVersion.swift") {
            #expect(try Repository.text(path).range(of: "\"\(version)\"") == nil, "\(path)")
        }
    }

    @Test("Pages that tell how to depend on the package name its platforms, and products as SwiftPM takes them")
    func manifests() throws {
        let manifest = try Repository.text("Package.swift")
        let platforms = try #require(manifest.firstMatch(of: /platforms: \[[^\]]+\]/)?.output)
        for page in ["README.md", "docs/Products.md", "docs/OpenLeap.docc/FirstChat.tutorial"] {
            let text = try Repository.text(page)
            #expect(text.contains(platforms), "\(page)")
            let products = text.matches(of: /\.product\(name: "([^"]+)", package: "([^"]+)"\)/)
            #expect(products.count == 2, "\(page)")
            for product in products {
                #expect(product.output.2 == "open-leap", "\(page)")
                #expect(manifest.contains(".library(name: \"\(product.output.1)\""), "\(page)")
            }
        }
    }

    // MARK: The image

    /// An instruction of a Containerfile, whose lines are joined.
    struct Instruction {
        let name: String
        let text: String
    }

    static func instructions(_ text: String) -> [Instruction] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        return lines.replacing("\\\n", with: " ").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? Instruction(name: String(parts[0]), text: String(parts[1])) : nil
        }
    }

    /// Returns the problems of a Containerfile.
    static func problems(_ text: String) -> [String] {
        let all = instructions(text)
        let known: Set = [
            "FROM", "RUN", "WORKDIR", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "ENTRYPOINT", "CMD", "LABEL", "ARG",
        ]
        var problems = all.filter { !known.contains($0.name) }.map { "\($0.name) is no instruction that is needed" }
        var stages: Set<Substring> = []
        for instruction in all {
            let text = instruction.text
            switch instruction.name {
            case "FROM":
                let words = text.split(separator: " ")
                if !words[0].contains(/:[\w.-]+$/) || words[0].hasSuffix(":latest") {
                    problems.append("\(words[0]) has no tag of its own")
                }
                if words.count == 3, words[1] == "AS" { stages.insert(words[2]) }
            case "RUN":
                if text.contains("apt-get install"),
                    !text.contains("--no-install-recommends") || !text.contains("rm -rf /var/lib/apt/lists")
                {
                    problems.append("packages are installed with what they recommend, or their lists stay")
                }
            case "ENTRYPOINT", "CMD":
                if !text.hasPrefix("[") { problems.append("\(instruction.name) starts a shell") }
            default: break
            }
            for match in text.matches(of: /(?:--from=|,from=)([\w-]+)/) where !stages.contains(match.output.1) {
                problems.append("there is no stage \(match.output.1) before")
            }
        }
        if all.first?.name != "FROM" { problems.append("the first instruction is not FROM") }
        if all.filter({ $0.name == "FROM" }).count < 2 { problems.append("what builds is in the image") }
        let last = all.suffix(while: { $0.name != "FROM" })
        if last.last(where: { $0.name == "USER" })?.text.allSatisfy(\.isNumber) != true {
            problems.append("no user by number, so that nobody can tell that it is not root")
        }
        if !last.contains(where: { $0.name == "ENTRYPOINT" }) { problems.append("no entry point") }
        return problems
    }

    @Test("The image is built in stages, by its package's script, and runs as nobody special")
    func image() throws {
        let text = try Repository.text("Containerfile")
        #expect(Self.problems(text).isEmpty)
        // The package that is built depends on the libraries of its Debian.
        let images = Self.instructions(text).filter { $0.name == "FROM" }.map(\.text)
        #expect(images.allSatisfy { $0.contains("bookworm") })
        let tools = try #require(
            try Repository.lines("Package.swift").first?.firstMatch(of: /swift-tools-version: (\d+)\.(\d+)/))
        let swift = try #require(images.first?.firstMatch(of: /swift:(\d+)\.(\d+)-/))
        let (needed, has) = ([tools.output.1, tools.output.2], [swift.output.1, swift.output.2])
        #expect(!has.compactMap { Int($0) }.lexicographicallyPrecedes(needed.compactMap { Int($0) }))
        // What is copied into the build is what the script reads.
        let ignored = try Repository.lines(".dockerignore")
        for name in ["LICENSE", "NOTICE", "README.md", "Package.swift", "Scripts", "Sources", "Tests"] {
            #expect(ignored.contains("!\(name)"), "\(name)")
        }
    }

    @Test("What is wrong with an image would be noticed")
    func wrongImages() {
        let good = "FROM a:1 AS build\nRUN make\nFROM b:2\nCOPY --from=build /x /x\nUSER 7\nENTRYPOINT [\"x\"]\n"
        #expect(Self.problems(good).isEmpty)
        for (part, other) in [
            ("a:1 AS", "a AS"), ("b:2", "b:latest"), ("USER 7", "USER root"), ("[\"x\"]", "x"), ("=build", "=other"),
            ("RUN make", "ADD http://x /x"), ("RUN make", "RUN apt-get install x"), ("FROM b:2\n", ""),
            ("ENTRYPOINT", "CMD"),
        ] {
            #expect(Self.problems(good.replacingOccurrences(of: part, with: other)).count >= 1, "\(part) → \(other)")
        }
    }
}

extension Array {
    /// The elements behind the last one that does not fulfil a condition.
    fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice<Element> {
        self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? 0)...]
    }
}
