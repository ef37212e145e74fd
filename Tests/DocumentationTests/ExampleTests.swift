import Testing

/// The programs in Examples are small enough to be read.
struct ExampleTests {
    /// The examples with Swift sources, each with its number of lines.
    private static func sizes() throws -> [String: Int] {
        var sizes: [String: Int] = [:]
        for path in Repository.files("Examples", ".swift") where !path.hasSuffix("Package.swift") {
            let name = String(path.split(separator: "/")[1])
            // A file's text ends with a line break, which begins no line.
            sizes[name, default: 0] +=
                try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
        return sizes
    }

    @Test("Every example has at most 150 lines, the app 450, a short page and a row in the table")
    func small() throws {
        let sizes = try Self.sizes()
        #expect(sizes.count >= 9)
        let table = try Repository.text("Examples/README.md")
        for (name, lines) in sizes {
            #expect(table.contains("| [\(name)](\(name)) |"), "\(name)")
            // The package of call sites has two programs, as long as what they try, and no page.
            guard name != "LaterLEAP" else { continue }
            // The app has screens, logic and tests.
            #expect(lines <= (name == "PocketChat" ? 450 : 150), "\(name)")
            let page = try Repository.text("Examples/\(name)/README.md")
            #expect(page.split(separator: "\n").count <= 16 && page.contains("```console\n$ "), "\(name)")
        }
    }
}
