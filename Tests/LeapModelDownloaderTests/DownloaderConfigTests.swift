import Foundation
import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import LeapTransfers
import Testing

@testable import LeapModelDownloader

@Suite(.inServerTurns)
struct DownloaderConfigTests {
    @Test("Every field reaches the transfers")
    func everyField() throws {
        let endpoint = try #require(URL(string: "https://mirror.example"))
        let config = LeapDownloaderConfig(
            saveDir: "/models/here", validateSha256: false, endpoint: endpoint, authToken: "secret",
            parallelConnections: 3, maxAttempts: 5, requestTimeout: 7, stallTimeout: 11)
        let transfers = config.transferConfiguration
        #expect(transfers.folder == "/models/here" && transfers.endpoint == endpoint && transfers.token == "secret")
        #expect(!transfers.validatesSHA256 && LeapDownloaderConfig().transferConfiguration.validatesSHA256)
        #expect(transfers.connections == 3 && transfers.retry.attempts == 5)
        #expect(transfers.responseTimeout == 7 && transfers.stallTimeout == 11)
        #expect(config.with(parallelConnections: 99).transferConfiguration.connections == 16)
        #expect(config.with(maxAttempts: 0).transferConfiguration.retry.attempts == 1)
        #expect(transfers.totalTimeout == .infinity)
        #expect(config.with(totalTimeout: 60).transferConfiguration.totalTimeout == 60)
    }

    @Test("The networks that may be used reach the transfers, and are all by default")
    func networks() {
        #expect(LeapDownloaderConfig().transferConfiguration.network == .any)
        let wifi = LeapDownloaderConfig().with(allowsCellularAccess: false)
        #expect(wifi.transferConfiguration.network == NetworkRule(allowsCellular: false))
        let full = LeapDownloaderConfig().with(allowsLowDataMode: false)
        #expect(full.transferConfiguration.network == NetworkRule(allowsLowDataMode: false))
        #expect(wifi != full && wifi.with(allowsCellularAccess: true) == LeapDownloaderConfig())
    }

    #if !canImport(Darwin)
        @Test("Where the system does not distinguish networks, the log says that the options have no effect")
        func networksElsewhere() async {
            for config in [
                LeapDownloaderConfig().with(allowsCellularAccess: false),
                LeapDownloaderConfig().with(allowsLowDataMode: false),
            ] {
                let lines = await CapturedLog.lines { LeapDownloader(config: config) }
                #expect(lines.contains { $0.contains("allowsLowDataMode have no effect") })
            }
        }
    #endif

    @Test("The folder of an app group is in its container; a group without one is an error that names it")
    func appGroup() throws {
        let config = try LeapDownloaderConfig(appGroup: "group.org.example", folder: "models") { "/groups/" + $0 }
        #expect(config.saveDir == "/groups/group.org.example/models")
        #expect(config.transferConfiguration.folder == "/groups/group.org.example/models")
        let none = #expect(throws: DownloadError.self) {
            try LeapDownloaderConfig(appGroup: "group.org.example", folder: "models") { _ in nil }
        }
        #expect(none?.description.contains("group.org.example") == true && none?.path == "group.org.example")
        let outside = #expect(throws: DownloadError.self) {
            try LeapDownloaderConfig(appGroup: "group.org.example", folder: "../models") { "/groups/" + $0 }
        }
        #expect(outside?.code == .unsafeFileName)
        // Linux has no app groups.
        #expect(throws: DownloadError.self) { try LeapDownloaderConfig(appGroup: "group.org.example") }
    }

    @Test("The seven fields of the LEAP SDK reach the transfers")
    func sevenFields() {
        let config = LeapDownloaderConfig.with(
            saveDir: "/models/here", validateSha256: false, baseUrl: "https://mirror.example",
            connectTimeoutMillis: 7_000, socketTimeoutMillis: 11_000, requestTimeoutMillis: 13_000)
        let transfers = config.transferConfiguration
        #expect(transfers.folder == "/models/here" && transfers.endpoint.absoluteString == "https://mirror.example")
        #expect(!transfers.validatesSHA256)
        #expect(transfers.responseTimeout == 7 && transfers.stallTimeout == 11 && transfers.totalTimeout == 13)
        #expect(LeapDownloaderConfig.with() == LeapDownloaderConfig())
        #expect(LeapDownloaderConfig.with(baseUrl: "") == LeapDownloaderConfig())
        // Certificates stay checked.
        #expect(LeapDownloaderConfig.with(disableSslValidation: true) == LeapDownloaderConfig())
    }
}
