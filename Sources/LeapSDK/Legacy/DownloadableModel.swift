import Foundation
import LeapTransfers
import Logging

/// A file that can be downloaded, as in versions before 0.7.
public protocol DownloadableModel: Sendable {
    /// The URL of the file.
    var uri: URL { get }
    /// The display name.
    var name: String { get }
    /// The file's name on this device.
    var localFilename: String { get }
}

/// A model of the LEAP library, as in versions before 0.7.
public struct LeapDownloadableModel: DownloadableModel {
    /// The model's name in the library.
    public let modelSlug: String
    /// The quantization's name in the library.
    public let quantizationSlug: String
    /// The URL of the model's file.
    public let uri: URL
    /// The model's name and its quantization.
    public var name: String { "\(modelSlug):\(quantizationSlug)" }
    /// The file's name on this device.
    public let localFilename: String

    /// Finds a model in the library.
    ///
    /// - Returns: nil if there is none, or the lookup fails; the log says why.
    public static func resolve(modelSlug: String, quantizationSlug: String) async -> LeapDownloadableModel? {
        await resolve(modelSlug: modelSlug, quantizationSlug: quantizationSlug, with: LeapDownloader())
    }

    package static func resolve(modelSlug: String, quantizationSlug: String, with downloader: LeapDownloader) async
        -> LeapDownloadableModel?
    {
        do {
            let plan = try await downloader.store.resolver.plan(try ModelReference.library(modelSlug, quantizationSlug))
            guard let file = plan.allFiles.first else { return nil }
            return LeapDownloadableModel(
                modelSlug: modelSlug, quantizationSlug: quantizationSlug, uri: file.origin, localFilename: file.name)
        } catch {
            ModelStore.logger.error("\(error)")
            return nil
        }
    }
}

/// A file of a Hugging Face repository, as in versions before 0.7.
public struct HuggingFaceDownloadableModel: DownloadableModel {
    /// The repository's owner.
    public let ownerName: String
    /// The repository's name.
    public let repoName: String
    /// The file's path in the repository.
    public let filename: String

    /// Creates a description, without a network request.
    public init(ownerName: String, repoName: String, filename: String) {
        self.ownerName = ownerName
        self.repoName = repoName
        self.filename = filename
    }

    /// The URL of the file, on `HF_ENDPOINT` or Hugging Face.
    public var uri: URL {
        LeapDownloaderConfig().transferConfiguration.endpoint
            .appendingPathComponent("\(ownerName)/\(repoName)/resolve/main/\(filename)")
    }

    /// The file's path.
    public var name: String { "\(ownerName)/\(repoName)/\(filename)" }
    /// The file's name on this device.
    public var localFilename: String { (filename as NSString).lastPathComponent }
}

/// The appearance of a `ModelDownloader`'s notifications on Apple's systems; other systems show none.
public struct LeapModelDownloaderNotificationConfig: Sendable, Hashable {
    /// The title while a download runs; nil for “Downloading a model”.
    public var title: String?

    /// Creates a configuration.
    public init(title: String? = nil) {
        self.title = title
    }
}
