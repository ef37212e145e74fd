import Foundation
import Testing

/// Code that Linux does not compile stays in few files, and CONTRIBUTING.md lists them.
struct AppleCodeTests {
    /// Returns whether a file has code under a condition that only Apple's systems fulfil; lists of imports by platform
    /// do not count.
    static func hasAppleCode(_ lines: [String]) -> Bool {
        let condition =
            /canImport\((?:Darwin|ObjectiveC|UIKit|AppKit|CryptoKit|CFNetwork|UserNotifications|os)\)|\bos\((?:macOS|iOS|tvOS|watchOS|visionOS)\)|__APPLE__|TARGET_OS_/
        var blocks: [Bool] = []
        for line in lines {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#if") {
                blocks.append(line.contains(condition))
            } else if line.hasPrefix("#elif") || line.hasPrefix("#elseif") {
                if line.contains(condition), let last = blocks.indices.last { blocks[last] = true }
            } else if line.hasPrefix("#endif") {
                _ = blocks.popLast()
            } else if blocks.contains(true), !line.isEmpty, !line.hasPrefix("//"), !line.hasPrefix("#"),
                !line.hasPrefix("import "), !line.hasPrefix("@_exported import ")
            {
                return true
            }
        }
        return false
    }

    /// Returns whether a file has a part of such a condition at all, which few have.
    private static func mayHaveAppleCode(_ text: String) -> Bool {
        let parts: [String] = ["canImport(", "os(", "__APPLE__", "TARGET_OS_"]
        return parts.contains { (part: String) in strstr(text, part) != nil }
    }

    @Test("CONTRIBUTING lists the files with code for Apple's systems, with the interface of each")
    func listed() throws {
        var found: Set<String> = []
        for path in Repository.files("Sources", ".swift", ".c", ".h")
        where try Self.mayHaveAppleCode(Repository.text(path)) && Self.hasAppleCode(Repository.lines(path)) {
            // By module and file, so that a file may move within its module.
            let parts = path.split(separator: "/")
            found.insert("\(parts[1])/\(parts[parts.count - 1])")
        }
        let page = try Repository.text("CONTRIBUTING.md")
        let section = try #require(
            page.split(separator: "## Code for Apple's systems").last?.split(separator: "\n## ").first)
        let rows = section.matches(of: /(?m)^\| `([^`]+)` \| (.+) \|$/)
        #expect(Set(rows.map { String($0.output.1) }) == found)
        #expect(rows.count == found.count && rows.allSatisfy { $0.output.2.count > 4 })
    }

    @Test("Imports by platform are not counted, code is")
    func detection() {
        #expect(
            !Self.hasAppleCode([
                "#if canImport(Darwin)", "    import Darwin", "#else", "    import Glibc", "#endif", "let x = 1",
            ]))
        #expect(Self.hasAppleCode(["#if canImport(Glibc)", "#elseif canImport(Darwin)", "let x = 1", "#endif"]))
        #expect(Self.hasAppleCode(["#if defined(__APPLE__)", "int x;", "#endif"]))
        #expect(!Self.hasAppleCode(["#if DEBUG", "let x = 1", "#endif"]))
    }

    @Test("README, the page of features, the package and its examples name one version of Swift")
    func toolsVersion() throws {
        let package = try #require(try Repository.lines("Package.swift").first)
        let version = try #require(package.firstMatch(of: /swift-tools-version: (\d+\.\d+)/)?.output.1)
        #expect(try Repository.lines("Examples/Package.swift").first == package)
        for page in ["README.md", "docs/Features.md", "CONTRIBUTING.md"] {
            let named = try Repository.text(page).matches(of: /Swift (\d+\.\d+) or later/).map(\.output.1)
            #expect(named == [version], "\(page)")
        }
        #expect(try Repository.text(".ci/run").contains("Swift \(version) or later"))
    }
}
