import Foundation

/// The files of the repository, as tests of its own form read them.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Paths under a folder, relative to the root, in order; hidden folders, where packages that were built keep
    /// checkouts, left out.
    static func files(_ folder: String, _ suffixes: String...) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        var paths: [String] = []
        while let path = found?.nextObject() as? String {
            if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
            if suffixes.contains(where: path.hasSuffix) { paths.append("\(folder)/\(path)") }
        }
        return paths.sorted()
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func lines(_ path: String) throws -> [String] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

/// A target as `Package.swift` declares it.
struct DeclaredTarget {
    let name: String
    /// The folder of its sources.
    let folder: String
    /// Targets of this package.
    let targets: Set<String>
    /// Packages of others.
    let packages: Set<String>
    /// True if it is declared as a module that apps link, which has a privacy manifest.
    let isAppLibrary: Bool
    /// Everything between the declaration's parentheses.
    let text: String
}

/// The declarations of `Package.swift`, read as text: SwiftPM itself cannot be asked while it runs the tests.
struct PackageManifest {
    let targets: [String: DeclaredTarget]
    let libraries: [String: String]

    init() throws {
        let text = try Repository.text("Package.swift")
        let quoted = /"([^"]*)"/
        var targets: [String: DeclaredTarget] = [:]
        for match in text.matches(of: /\.(target|appLibrary|executableTarget|macro|testTarget)\(/) {
            let body = Self.balanced(text[match.range.upperBound...], "(", ")")
            guard let name = body.firstMatch(of: /name: "([^"]*)"/)?.output.1 else { continue }
            // A dependency with a condition names a target that was declared before.
            guard targets[String(name)] == nil else { continue }
            var dependencies = ""
            if let start = body.firstRange(of: "dependencies: [") {
                dependencies = Self.balanced(body[start.upperBound...], "[", "]")
            }
            let products = dependencies.matches(of: /\.product\([^)]*package: "([^"]*)"\)/)
            let plain = dependencies.replacing(/\.product\([^)]*\)/, with: "")
            let path = body.firstMatch(of: /path: "([^"]*)"/).map { String($0.output.1) }
            let isTest = match.output.1 == "testTarget"
            targets[String(name)] = DeclaredTarget(
                name: String(name), folder: path ?? "\(isTest ? "Tests" : "Sources")/\(name)",
                targets: Set(plain.matches(of: quoted).map { String($0.output.1) }),
                packages: Set(products.map { String($0.output.1) }), isAppLibrary: match.output.1 == "appLibrary",
                text: body)
        }
        self.targets = targets
        var libraries: [String: String] = [:]
        for match in text.matches(of: /\.library\(name: "([^"]*)", targets: \["([^"]*)"\]\)/) {
            libraries[String(match.output.1)] = String(match.output.2)
        }
        self.libraries = libraries
    }

    /// A target and everything of this package that it depends on.
    func closure(_ name: String) -> [DeclaredTarget] {
        var seen: Set<String> = []
        var left = [name]
        while let next = left.popLast() {
            guard seen.insert(next).inserted else { continue }
            left += targets[next]?.targets ?? []
        }
        return seen.sorted().compactMap { targets[$0] }
    }

    /// The text up to the bracket that closes the one before it.
    private static func balanced(_ text: Substring, _ open: Character, _ close: Character) -> String {
        var depth = 1
        for index in text.indices {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 { return String(text[..<index]) }
        }
        return String(text)
    }
}

/// The modules that a source file imports, whatever the form of the import.
func imports(of path: String) throws -> Set<String> {
    let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    var modules: Set<String> = []
    // Most lines have no import; Foundation's search passes over them quickly, also without optimisation.
    for line in try Repository.text(path).components(separatedBy: "\n") where line.range(of: "import ") != nil {
        let words = line.split(separator: " ").map(String.init)
        guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
            words[..<index].allSatisfy({
                $0.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains($0)
            })
        else { continue }
        let name = kinds.contains(words[index + 1]) && index + 2 < words.count ? words[index + 2] : words[index + 1]
        modules.insert(String(name.split(separator: ".")[0]))
    }
    return modules
}
