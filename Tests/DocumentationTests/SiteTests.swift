import Testing

/// The documentation of all products: a catalogue each, in the site and in `.spi.yml`.
struct SiteTests {
    /// Modules that apps import.
    private static func modules() throws -> Set<String> { Set(try PackageManifest().libraries.values) }

    @Test("Every library has a catalogue whose page is that of its module")
    func catalogues() throws {
        let modules = try Self.modules()
        #expect(modules.count > 10)
        for module in modules {
            let page = try Repository.lines("Sources/\(module)/\(module).docc/\(module).md")
            #expect(page.first == "# ``\(module)``" || page.first == "# ``\(module)-module``", "\(module)")
        }
        let catalogues = Repository.files("Sources", ".md").compactMap { path -> String? in
            path.split(separator: "/").first { $0.hasSuffix(".docc") }.map { String($0.dropLast(5)) }
        }
        #expect(Set(catalogues) == modules)
    }

    @Test(".spi.yml names the module of every library")
    func packageIndex() throws {
        let named = try Repository.text(".spi.yml").matches(of: /(?m)^ +- (\w+)$/).map { String($0.output.1) }
        #expect(named.count == Set(named).count)
        #expect(Set(named) == (try Self.modules()))
    }

    @Test("The landing page leads to every module and every page of docs")
    func landing() throws {
        let page = try Repository.text("docs/OpenLeap.docc/OpenLeap.md")
        for module in try Self.modules() { #expect(page.contains("- <doc:/\(module)>"), "\(module)") }
        // Scripts/site_articles.py names them so.
        for path in Repository.files("docs", ".md")
        where !path.contains(".docc/") && !path.hasPrefix("docs/terminal/") && path != "docs/README.md" {
            let name = path.dropFirst(5).dropLast(3).split(separator: "/").filter { $0 != "README" }.joined()
            #expect(page.contains("- <doc:\(name)>"), "\(path)")
        }
    }
}
