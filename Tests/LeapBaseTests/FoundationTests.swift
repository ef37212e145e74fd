#if os(Linux)
    import Foundation
    import LeapTestSupport
    import Testing

    /// The four products for texts link no Foundation, as docs/Products.md promises: `LeapGGUF`, `LeapTokenizer`,
    /// `LeapTemplate` and `LeapGrammar`.
    ///
    /// A compiled Swift file lists the libraries that a program with it links, one for each module that it imports.
    struct FoundationTests {
        private static let library = Data("-lFoundation".utf8)

        /// The Swift files of a module, without their folders.
        private static func sources(_ module: String) -> Set<String> {
            let root = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            return ["Sources", "Tests"].reduce(into: []) { names, folder in
                let files = FileManager.default.enumerator(
                    atPath: root.appendingPathComponent("\(folder)/\(module)").path)
                while let path = files?.nextObject() as? String {
                    guard path.hasSuffix(".swift") else { continue }
                    names.insert(path.split(separator: "/").last.map { String($0) } ?? path)
                }
            }
        }

        /// Returns whether a module asks for Foundation; nil where it was not built beside the tests.
        ///
        /// Each object lists the imports that all files of the module had when it was compiled. A build that goes on
        /// from an earlier one leaves the objects of files that did not change, so the object that was compiled last is
        /// the one to read; a file whose imports change is compiled again.
        private static func linksFoundation(_ module: String) throws -> Bool? {
            guard let probe = ProgramBesideTests.url("leap-grammar-probe") else { return nil }
            let folder = probe.deletingLastPathComponent().appendingPathComponent("\(module).build")
            let files = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
            guard let files else { return nil }
            let sources = sources(module)
            let objects = try files.compactMap { $0 as? URL }
                .filter { $0.pathExtension == "o" && sources.contains($0.deletingPathExtension().lastPathComponent) }
                .map { ($0, try $0.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) }
            guard let last = objects.max(by: { ($0.1 ?? .distantPast) < ($1.1 ?? .distantPast) }) else { return nil }
            return try Data(contentsOf: last.0).range(of: library) != nil
        }

        @Test(
            "A program of the four products for texts links no Foundation",
            arguments: ["LeapBase", "LeapJSON", "LeapGGUF", "LeapTokenizer", "LeapTemplate", "LeapGrammar"])
        func texts(module: String) throws {
            #expect(try Self.linksFoundation(module) == false)
        }

        @Test("The same is seen of a module that does")
        func others() throws {
            #expect(try Self.linksFoundation("LeapTestSupport") == true)
        }
    }
#endif
