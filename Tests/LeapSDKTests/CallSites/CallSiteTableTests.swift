import LeapSDK
import Testing

struct CallSiteTableTests {
    @Test("Every call site has a row in the table, and every row its call site")
    func complete() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let tests = folder.deletingLastPathComponent().deletingLastPathComponent()
        // The call sites of other products are beside their tests.
        let others = [
            "LeapUiTests/VoiceCallSites.swift", "LeapOpenAIClientTests/EventCallSites.swift",
            "LeapModelDownloaderTests/CallSites/OlderNameCallSites.swift",
        ].map { tests.appendingPathComponent($0) }
        let own = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var functions: Set<String> = []
        for file in own.filter({ $0.lastPathComponent.hasSuffix("CallSites.swift") }) + others {
            // Functions without an access modifier or an attribute: the others are the test's own.
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            where line.hasPrefix("    func ") {
                functions.insert(String(line.dropFirst("    func ".count).prefix { $0 != "(" }))
            }
        }
        functions.subtract(["run", "failure", "moduleName"])
        #expect(functions == Set(callSites.map(\.function)))
        #expect(callSites.count == Set(callSites.map(\.function)).count)
        #expect(Set(callSites.map(\.version)) == Set(Version.allCases))
    }
}
