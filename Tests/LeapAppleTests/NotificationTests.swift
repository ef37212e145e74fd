import Foundation
import LeapBase
import LeapTestTraits
import Testing
import UserNotifications

@testable import LeapModelDownloaderOverStubs

/// Notifications about downloads, over a stub of UserNotifications.
@Suite(.inServerTurns, .serialized, .timeLimit(.minutes(30)))
struct NotificationTests {
    /// Keeps what it was to show.
    private final class Shown: NotificationPresenter {
        enum Event: Equatable {
            case shown(DownloadNotification)
            case removed(String)
        }

        private let state = Locked<[Event]>([])

        var events: [Event] { state.withLock { $0 } }
        var texts: [String] {
            events.map { event in
                switch event {
                case .shown(let notification): "\(notification.title): \(notification.body)"
                case .removed: "removed"
                }
            }
        }

        func requestPermission() async -> Bool { true }
        func show(_ notification: DownloadNotification) { state.withLock { $0.append(.shown(notification)) } }
        func remove(identifier: String) { state.withLock { $0.append(.removed(identifier)) } }
    }

    private func downloader(
        _ bench: ModelBench, _ configuration: LeapModelDownloaderNotificationConfig?, _ shown: Shown
    ) -> ModelDownloader {
        ModelDownloader(
            config: bench.config, sessionConfiguration: nil, notificationConfig: configuration, presenter: shown)
    }

    @Test("A download shows the title that was set while it runs, and then that it is there, as one notification")
    func title() async throws {
        let (bench, shown) = (try ModelBench(), Shown())
        let downloader = downloader(bench, LeapModelDownloaderNotificationConfig(title: "Fetching"), shown)
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(shown.texts == ["Fetching: Demo:Q8_0", "Download finished: Demo:Q8_0 is on this device."])
        let identifiers = shown.events.map { event in
            if case .shown(let notification) = event { notification.identifier } else { "" }
        }
        #expect(Set(identifiers) == ["open-leap.download.Demo:Q8_0"])
        // What is there is not downloaded again.
        try await downloader.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(shown.events.count == 2)
    }

    @Test(
        "A download that fails says so; without a title there is one of our own; without a configuration nothing is shown"
    )
    func failure() async throws {
        let (bench, shown) = (try ModelBench(), Shown())
        bench.isDown.set()
        let silent = downloader(bench, nil, shown)
        _ = try? await silent.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(shown.events.isEmpty)
        let telling = downloader(bench, LeapModelDownloaderNotificationConfig(), shown)
        _ = try? await telling.downloadModel(modelName: "Demo", quantizationType: "Q8_0")
        #expect(shown.texts.first == "Downloading a model: Demo:Q8_0")
        #expect(shown.texts.count == 2 && shown.texts.last?.hasPrefix("Download failed: Demo:Q8_0: ") == true)
    }

    @Test("A download that is stopped takes its notification away")
    func stopped() async throws {
        let (bench, shown) = (try ModelBench(), Shown())
        bench.isHeld.set()
        let downloader = downloader(bench, LeapModelDownloaderNotificationConfig(title: "Fetching"), shown)
        downloader.requestDownloadModel(modelName: "Demo", quantizationType: "Q8_0")
        while shown.events.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        downloader.requestStopDownload(modelName: "Demo", quantizationType: "Q8_0")
        while shown.events.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(shown.texts == ["Fetching: Demo:Q8_0", "removed"])
    }

    @Test("The system's centre shows, replaces and removes notifications")
    func center() throws {
        let center = try #require(UserNotificationCenter(bundleIdentifier: "market.app"))
        center.show(DownloadNotification(identifier: "a", title: "Fetching", body: "Demo"))
        center.show(DownloadNotification(identifier: "b", title: "Fetching", body: "Other"))
        center.show(DownloadNotification(identifier: "a", title: "Download finished", body: "Demo"))
        var shown = UNUserNotificationCenter.current().stubNotifications
        #expect(shown.map(\.title) == ["Fetching", "Download finished"])
        #expect(shown.map(\.body) == ["Other", "Demo"])
        #expect(Set(shown.map(\.thread)) == ["open-leap.downloads"])
        center.remove(identifier: "a")
        center.remove(identifier: "b")
        shown = UNUserNotificationCenter.current().stubNotifications
        #expect(shown.isEmpty)
    }

    @Test("Permission is asked for, and the answer is the person's")
    func requestNotificationPermissions() async throws {
        let bench = try ModelBench()
        let center = UNUserNotificationCenter.current()
        let downloader = ModelDownloader(
            config: bench.config, sessionConfiguration: nil, notificationConfig: nil,
            presenter: UserNotificationCenter(bundleIdentifier: "market.app"))
        let asked = center.stubRequests.count
        center.stubAnswer(.success(false))
        #expect(await !downloader.requestNotificationPermissions())
        center.stubAnswer(.failure(CocoaError(.featureUnsupported)))
        #expect(await !downloader.requestNotificationPermissions())
        center.stubAnswer(.success(true))
        #expect(await downloader.requestNotificationPermissions())
        #expect(center.stubRequests.count == asked + 3 && center.stubRequests.last == [.alert])
        // A command-line tool would be ended by the system if it asked.
        #expect(UserNotificationCenter(bundleIdentifier: nil) == nil)
        #expect(await !ModelDownloader(notificationConfig: nil).requestNotificationPermissions())
    }
}
