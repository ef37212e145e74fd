import Foundation
import LeapBase
import LeapTransfers
import Logging

// The forms of versions before 0.7, for single files.
extension ModelDownloader {
    /// Creates a downloader that shows its downloads as notifications, in apps on Apple's systems.
    ///
    /// Each download has one notification: first its progress, then its result. A stopped download removes its
    /// notification. On other systems, the log says that no notifications are shown.
    ///
    /// - Parameter notificationConfig: the appearance of the notifications; nil for none.
    public convenience init(notificationConfig: LeapModelDownloaderNotificationConfig?) {
        self.init(
            config: LeapDownloaderConfig(), sessionConfiguration: nil, notificationConfig: notificationConfig,
            presenter: SystemNotifications.presenter)
    }

    private func plan(_ model: any DownloadableModel) throws -> (reference: ModelReference, plan: ModelPlan) {
        let name = try SafeFileName.checked(model.localFilename, in: model.name)
        let file = RemoteFile(origin: model.uri, name: name)
        return (
            Self.reference(model),
            ModelResolver.plan(inferenceType: "llama.cpp/text-to-text", files: [(.model, file)], parts: [])
        )
    }

    private static func reference(_ model: any DownloadableModel) -> ModelReference {
        .source(
            model: model.name.replacingOccurrences(of: "/", with: "--"), quantization: "file",
            key: model.uri.absoluteString)
    }

    /// Returns the path of a model's file, whether or not it exists.
    public func getModelFile(_ model: any DownloadableModel) -> URL {
        URL(fileURLWithPath: store.folder(of: Self.reference(model)))
            .appendingPathComponent(SafeFileName.mapped(model.localFilename))
    }

    /// Starts downloading a model and returns at once.
    public func requestDownloadModel(_ model: any DownloadableModel, forceDownload: Bool = false) {
        do {
            let (reference, plan) = try plan(model)
            if !forceDownload, try store.installed(reference) != nil { return }
            InstallCenter.shared.start(reference, force: forceDownload, plan: plan, in: store)
        } catch {
            ModelStore.logger.error("\(error)")
        }
    }

    /// Downloads a model; the result is its file or the error.
    public func downloadModel(_ model: any DownloadableModel, forceDownload: Bool = false) async -> Result<
        URL, any Error
    > {
        do {
            let installed = try await LeapModelLoadingException.mapping {
                let (reference, plan) = try plan(model)
                return try await install(reference, force: forceDownload, plan: plan, nil)
            }
            return .success(URL(fileURLWithPath: installed.path(.model) ?? installed.folder))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the state of a model on this device.
    public func queryStatus(_ model: any DownloadableModel) async -> ModelDownloadStatus {
        status(Self.reference(model))
    }

    /// Stops downloading a model; a later download continues from the files on disk.
    public func requestStopDownload(_ model: any DownloadableModel) {
        InstallCenter.shared.stop(folder: store.folder(of: Self.reference(model)))
    }

    /// Removes a model.
    public func removeModel(_ model: any DownloadableModel) async throws {
        try await LeapModelLoadingException.mapping { try await store.remove(Self.reference(model)) }
    }

    /// Returns the number of bytes of a model's file on this device; nil if it is not there.
    public func getModelFileSize(_ model: any DownloadableModel) -> Int64? {
        FileSystem.size(of: getModelFile(model).path)
    }

    /// Asks the person for permission to show notifications, if the app has not asked before.
    ///
    /// - Returns: whether the app may show notifications; false if none are configured.
    @discardableResult
    public func requestNotificationPermissions() async -> Bool { await presenter?.requestPermission() ?? false }
}

/// The name of the class up to version 0.10.5 of the LEAP SDK.
///
/// The module has the same name. Swift looks up a name after the module's name and a dot in the class, so the class has
/// the other types as members.
public typealias LeapModelDownloader = ModelDownloader

extension ModelDownloader {
    /// The class itself, for `LeapModelDownloader.ModelDownloader`.
    public typealias ModelDownloader = LeapModelDownloader
    /// The older name of `ModelDownloadStatus`.
    public typealias ModelDownloadStatus = LeapSDK.ModelDownloadStatus
    /// The name, in versions 0.7 to 0.9, of a status without its value.
    public typealias ModelDownloadStatusType = LeapSDK.ModelDownloadStatus.Kind
    /// The cross-platform downloader.
    public typealias LeapDownloader = LeapSDK.LeapDownloader
    /// The folder for models, and the download settings.
    public typealias LeapDownloaderConfig = LeapSDK.LeapDownloaderConfig
    /// The files of a model that an app provides.
    public typealias ModelSource = LeapSDK.ModelSource
    /// A model on this device.
    public typealias DownloadedModelManifest = LeapSDK.DownloadedModelManifest
    /// A manifest: the description of a model and the URLs of its files.
    public typealias Manifest = LeapSDK.ModelManifest
    /// The progress of a model's installation.
    public typealias ProgressData = LeapSDK.ProgressData
    /// A file that can be downloaded.
    public typealias DownloadableModel = LeapSDK.DownloadableModel
    /// A model of the LEAP library.
    public typealias LeapDownloadableModel = LeapSDK.LeapDownloadableModel
    /// A file of a Hugging Face repository.
    public typealias HuggingFaceDownloadableModel = LeapSDK.HuggingFaceDownloadableModel
    /// The appearance of the notifications of downloads.
    public typealias LeapModelDownloaderNotificationConfig = LeapSDK.LeapModelDownloaderNotificationConfig
    /// The functions that load models.
    public typealias Leap = LeapSDK.Leap
    /// A model in memory.
    public typealias ModelRunner = LeapSDK.ModelRunner
    /// A chat with a model.
    public typealias Conversation = LeapSDK.Conversation
    /// A message of a conversation.
    public typealias ChatMessage = LeapSDK.ChatMessage
    /// A part of a message.
    public typealias ChatMessageContent = LeapSDK.ChatMessageContent
    /// Options for generating a reply.
    public typealias GenerationOptions = LeapSDK.GenerationOptions
    /// A piece of a reply.
    public typealias MessageResponse = LeapSDK.MessageResponse
    /// A reply, piece by piece.
    public typealias MessageResponseStream = LeapSDK.MessageResponseStream
}
