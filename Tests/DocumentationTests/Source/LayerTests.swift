import Foundation
import Testing

/// The rules by which one module may see another.
struct LayerTests {
    private let manifest: PackageManifest

    init() throws { manifest = try PackageManifest() }

    @Test("LeapCore has no downloads, no HTTP, and one package of others")
    func core() throws {
        let closure = manifest.closure("LeapCore")
        #expect(closure.count >= 6, "the manifest was read")
        #expect(
            Set(closure.map(\.name)).isDisjoint(with: [
                "LeapTransfers", "LeapSDK", "LeapModelDownloader", "LeapService",
            ]))
        #expect(closure.reduce(into: Set()) { $0.formUnion($1.packages) } == ["swift-log"])
        for target in closure {
            for path in Repository.files(target.folder, ".swift") {
                let foreign = try imports(of: path).intersection([
                    "FoundationNetworking", "CFNetwork", "Network", "Crypto", "CryptoKit", "LeapTransfers",
                    "NIOCore", "NIOPosix",
                ])
                #expect(foreign.isEmpty, "\(path) imports \(foreign.sorted())")
                let text = try Repository.text(path)
                #expect(text.range(of: "URLSession") == nil, "\(path)")
            }
        }
    }

    @Test("LeapChat knows no engine")
    func chat() throws {
        let closure = manifest.closure("LeapChat")
        #expect(closure.count >= 6, "the manifest was read")
        #expect(
            Set(closure.map(\.name)).isDisjoint(with: [
                "LeapCPU", "LeapCompute", "LeapCore", "LeapDevices", "LeapEngine", "LeapGPU", "LeapMetal",
            ]))
    }

    @Test(
        "Of the engine's modules, only LeapCPU knows the kernels, only LeapGPU the drivers of GPUs, and only LeapDevices both"
    )
    func engine() throws {
        let drivers: Set = ["CLeapKernels", "CLeapTensorTypes", "CLeapVulkan", "Metal"]
        let devices: Set = ["LeapCPU", "LeapDevices", "LeapGPU", "LeapMetal"]
        let known: [(module: String, drivers: Set<String>, devices: Set<String>)] = [
            ("LeapModel", [], []), ("LeapCompute", [], []), ("LeapEngine", [], []),
            ("LeapCPU", ["CLeapKernels", "CLeapTensorTypes"], []), ("LeapGPU", ["CLeapVulkan"], []),
            ("LeapMetal", ["Metal"], ["LeapGPU"]), ("LeapDevices", [], ["LeapCPU", "LeapGPU", "LeapMetal"]),
        ]
        for (module, ownDrivers, ownDevices) in known {
            for path in Repository.files("Sources/\(module)", ".swift") {
                let imports = try imports(of: path)
                #expect(imports.intersection(drivers).isSubset(of: ownDrivers), "\(path)")
                #expect(imports.intersection(devices).isSubset(of: ownDevices), "\(path)")
                // What computes schedules nothing.
                #expect(!imports.contains("LeapEngine"), "\(path)")
            }
        }
        for path in Repository.files("Sources/LeapModel", ".swift") {
            let text = try Repository.text(path)
            #expect(text.range(of: "UnsafePointer<") == nil && text.range(of: "UnsafeRawPointer") == nil, "\(path)")
        }
    }

    @Test("docs/Architecture.md has the engine's modules as Package.swift has them")
    func architecture() throws {
        let rows = try Repository.text("docs/Architecture.md").matches(of: /(?m)^\| `(\w+)` \| (.+?) \|/)
        #expect(rows.count == 7)
        for row in rows {
            let name = String(row.output.1)
            let named = Set(row.output.2.matches(of: /`(\w+)`/).map { String($0.output.1) })
            #expect(manifest.targets[name]?.targets == named, "\(name)")
        }
    }

    @Test("LeapOpenAIClient needs neither the engine nor another package")
    func client() throws {
        let closure = manifest.closure("LeapOpenAIClient")
        #expect(
            Set(closure.map(\.name)) == [
                "CLeapHTTP", "LeapBase", "LeapHTTP", "LeapJSON", "LeapOpenAIClient", "LeapOpenAIFormat",
            ])
        #expect(closure.allSatisfy { $0.packages.isEmpty })
    }

    @Test("The model service is in LeapSDK alone, under a trait, and in what needs it; its app side has no NIO")
    func service() throws {
        let above = ["LeapSDK", "LeapModelDownloader", "LeapUi", "LeapUiTesting"]
        for library in manifest.libraries.values where !above.contains(library) {
            #expect(!manifest.closure(library).map(\.name).contains("LeapService"), "\(library)")
        }
        let sdk = try #require(manifest.targets["LeapSDK"])
        #expect(
            sdk.text.contains(#".target(name: "LeapService", condition: .when(traits: ["ModelService"]))"#))
        #expect(manifest.targets["LeapService"]?.packages == ["swift-log"])
        for path in Repository.files(sdk.folder, ".swift") {
            let lines = try Repository.lines(path)
            guard
                let line = lines.firstIndex(where: { $0.contains("import LeapService") || $0.contains("LeapService.") })
            else { continue }
            #expect(lines[..<line].contains("#if ModelService"), "\(path)")
        }
    }

    @Test("LeapSDK is all that an app imports; LeapModelDownloader adds one class, which has two names")
    func modules() throws {
        #expect(manifest.targets["LeapSDK"]?.targets.isSuperset(of: ["LeapCore", "LeapTransfers"]) == true)
        #expect(manifest.targets["LeapModelDownloader"]?.targets.contains("LeapSDK") == true)
        var declared: Set<String> = []
        for path in Repository.files("Sources/LeapModelDownloader", ".swift") {
            for line in try Repository.lines(path) where line.hasPrefix("public ") {
                if let match = line.firstMatch(
                    of: /^public (?:final )?(?:class|struct|enum|protocol|actor|typealias) (\w+)/)
                {
                    declared.insert(String(match.output.1))
                }
            }
        }
        #expect(declared == ["LeapModelDownloader", "ModelDownloader"])
    }

    @Test(
        "A module imports what its target declares, and nothing else of this package",
        arguments: [
            "LeapChat", "LeapCore", "LeapSDK", "LeapModelDownloader", "LeapHTTP", "LeapOpenAIClient", "LeapHybrid",
            "LeapUi",
        ])
    func declared(name: String) throws {
        let target = try #require(manifest.targets[name])
        // Stubs have the names of Apple's modules, which the sources import.
        let own = Set(manifest.targets.filter { !$0.value.folder.hasPrefix("Tests/AppleStubs/") }.keys)
        for path in Repository.files(target.folder, ".swift") {
            let undeclared = try imports(of: path).intersection(own).subtracting(target.targets)
            #expect(undeclared.isEmpty, "\(path) imports \(undeclared.sorted())")
        }
    }

    /// The words of a line that begin with a large letter and have more than one.
    private static func capitalisedWords(of line: String) -> [String] {
        line.utf8.split { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: false
            default: true
            }
        }.filter { $0.count > 1 && (0x41...0x5A).contains($0.first ?? 0) }.map { String(Substring($0)) }
    }

    @Test("No folder of LeapServing depends on one that depends on it, even through others")
    func folders() throws {
        let module = "Sources/LeapServing"
        // The folder of each type, and the words of each folder's code.
        var homes: [String: String] = [:]
        var words: [String: Set<String>] = [:]
        for path in Repository.files(module, ".swift") {
            let parts = path.dropFirst(module.count + 1).split(separator: "/")
            let folder = parts.count > 1 ? String(parts[0]) : ""
            for line in try Repository.lines(path) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
                if line.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
                    let match = line.firstMatch(
                        of: /^(?:package |final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)/)
                {
                    homes[String(match.output.1)] = folder
                }
                let code = line.utf8.contains(0x22) ? line.replacing(/"(?:[^"\\]|\\.)*"/, with: "") : line
                words[folder, default: []].formUnion(Self.capitalisedWords(of: code))
            }
        }
        var needs = Dictionary(
            uniqueKeysWithValues: words.map { folder, words in
                (folder, Set(words.compactMap { homes[$0] }).subtracting([folder]))
            })
        #expect(needs.count > 20 && needs["Replies"]?.contains("Requests") == true, "the sources were read")
        while let lowest = needs.first(where: { $0.value.isEmpty })?.key {
            needs[lowest] = nil
            for folder in needs.keys { needs[folder]?.remove(lowest) }
        }
        #expect(needs.isEmpty, "\(needs)")
    }
}
