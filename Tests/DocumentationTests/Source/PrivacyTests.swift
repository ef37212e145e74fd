import Foundation
import Testing

/// The privacy manifests that Apple asks of libraries, compared with the source.
struct PrivacyTests {
    /// Interfaces that need a reason, by category, as Apple lists them.
    private static let interfaces: [(category: String, names: [String])] = [
        (
            "NSPrivacyAccessedAPICategoryFileTimestamp",
            [
                " stat(", "fstat(", "lstat(", "fstatat(", "getattrlist(", ".modificationDate", ".creationDate",
                "contentModificationDateKey",
            ]
        ),
        (
            "NSPrivacyAccessedAPICategoryDiskSpace",
            ["statfs(", "statvfs(", "volumeAvailableCapacity", "systemFreeSize", "systemSize"]
        ),
        ("NSPrivacyAccessedAPICategorySystemBootTime", ["systemUptime", "mach_absolute_time"]),
        ("NSPrivacyAccessedAPICategoryUserDefaults", ["UserDefaults"]),
        ("NSPrivacyAccessedAPICategoryActiveKeyboards", ["activeInputModes"]),
    ]

    /// The sources that use interfaces of a category; they are read once for all products.
    private static let uses = Result {
        try Repository.files("Sources", ".swift", ".c", ".h").compactMap {
            path -> (path: String, categories: [String])? in
            let text = try Repository.text(path)
            let found = interfaces.filter { $0.names.contains { strstr(text, $0) != nil } }.map(\.category)
            return found.isEmpty ? nil : (path, found)
        }
    }

    static let products = [
        "LeapCore", "LeapSDK", "LeapModelDownloader", "LeapSDKMacros", "LeapDemoModel", "LeapGGUF", "LeapTokenizer",
        "LeapTemplate", "LeapGrammar", "LeapOpenAIClient", "LeapHybrid", "LeapVisionDemoModel", "LeapAudioDemoModel",
        "LeapDecisionDemoModel", "LeapUI", "LeapUiTesting", "LeapFoundationModels", "LeapDecisions",
    ]

    @Test(
        "Each privacy manifest names the interfaces that its module's sources use, and no others",
        arguments: products + ["LeapChat"])
    func manifest(product: String) throws {
        let package = try PackageManifest()
        let target = try #require(package.targets[package.libraries[product] ?? product])
        #expect(target.isAppLibrary)
        let data = Data(try Repository.text("\(target.folder)/PrivacyInfo.xcprivacy").utf8)
        let plist = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(plist["NSPrivacyTracking"] as? Bool == false)
        #expect((plist["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect((plist["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        let types = try #require(plist["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        var named: Set<String> = []
        for type in types {
            named.insert(try #require(type["NSPrivacyAccessedAPIType"] as? String))
            #expect((type["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false)
        }
        let folders = package.closure(target.name).map(\.folder).filter { !$0.contains("Plugin") }
        let uses = try Self.uses.get().filter { use in folders.contains { use.path.hasPrefix("\($0)/") } }
        #expect(named == uses.reduce(into: []) { $0.formUnion($1.categories) })
    }

    @Test("Every library of the package has a privacy manifest")
    func complete() throws {
        #expect(Set(Self.products) == Set(try PackageManifest().libraries.keys))
    }
}
