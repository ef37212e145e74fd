package import Foundation
import LeapHTTP
import LeapJSON

/// Finds out which files a model is made of.
package struct ModelResolver: Sendable {
    let fetcher: Fetcher

    private var endpoint: URL { fetcher.configuration.endpoint }

    package init(fetcher: Fetcher) {
        self.fetcher = fetcher
    }

    /// Returns the addresses at which the library's manifest of a model may be, in order.
    package static func manifestURLs(model: String, quantization: String, endpoint: URL) -> [URL] {
        [
            endpoint.appendingPathComponent("LiquidAI/LeapBundles/resolve/main/\(model)-GGUF/\(quantization).json"),
            endpoint.appendingPathComponent("LiquidAI/\(model)-GGUF/resolve/main/leap/\(quantization).json"),
        ]
    }

    package func plan(_ reference: ModelReference) async throws -> ModelPlan {
        switch reference {
        case .library(let model, let quantization): return try await library(model, quantization)
        case .repository(let owner, let name, let quantization, let revision):
            return try await repository(owner, name, quantization, revision)
        case .manifest(let url): return try await manifest(url)
        case .source:
            throw DownloadError(
                .notInstalled, "\(reference.shown): not on this device, and no address to fetch it from.")
        case .file(let url):
            let checked = try Fetcher.checked(url)
            var names = ModelPlan.NameTable()
            let file = RemoteFile(origin: checked, name: names.unique(try SafeFileName.of(checked), for: checked))
            return Self.plan(
                inferenceType: "llama.cpp/text-to-text", files: [(.model, file)], parts: names.furtherParts(of: file))
        }
    }

    private func manifest(_ url: URL) async throws -> ModelPlan {
        let (bytes, _) = try await fetcher.smallFile(url, limit: ManifestDocument.longest, what: "the manifest")
        return try ModelPlan(try ManifestDocument(bytes, place: url.shown), at: url)
    }

    private func library(_ model: String, _ quantization: String) async throws -> ModelPlan {
        for url in Self.manifestURLs(model: model, quantization: quantization, endpoint: endpoint) {
            do {
                return try await manifest(url)
            } catch let error as DownloadError where error.code == .notFound || error.code == .accessDenied {
                // Hugging Face says 401, not 404, of a repository that does not exist.
                continue
            }
        }
        // Not in the library: the repository itself may still have the file, or at least say what it has.
        do {
            return try await repository("LiquidAI", "\(model)-GGUF", quantization, "main")
        } catch let error as DownloadError where error.code == .notFound || error.code == .accessDenied {
            throw DownloadError(
                .notFound,
                "\(model): there is no such model in the LEAP library on \(endpoint.shown) (quantization \(quantization)): check the name (and HF_TOKEN, if it is not public); a GGUF repository is written hf:owner/name:\(quantization).",
                url: endpoint, status: error.status, cause: error)
        }
    }

    private func repository(_ owner: String, _ name: String, _ quantization: String, _ revision: String) async throws
        -> ModelPlan
    {
        var page: URL? = URL(
            string: endpoint.appendingPathComponent("api/models/\(owner)/\(name)/tree/\(revision)").absoluteString
                + "?recursive=true")
        var entries: [RepositoryListing.ListedFile] = []
        var pages = 0
        // All pages together are limited, not each of them.
        var left = RepositoryListing.longest
        while let url = page {
            guard pages < RepositoryListing.maxPages else {
                throw DownloadError(
                    .protocolViolation,
                    "\(url.shown): the list of files has more than \(RepositoryListing.maxPages) pages; give the address of the model's file instead.",
                    url: url)
            }
            let (bytes, answer) = try await fetcher.smallFile(url, limit: left, what: "the list of files")
            left -= bytes.count
            entries += try RepositoryListing.parse(bytes, place: url.shown)
            page = RepositoryListing.nextPage(answer.head["link"], from: url)
            pages += 1
        }
        let selection = try GGUFSelection(entries, quantization: quantization, repository: "\(owner)/\(name)")
        var names = ModelPlan.NameTable()
        func remote(_ entry: RepositoryListing.ListedFile) throws -> RemoteFile {
            let url = endpoint.appendingPathComponent("\(owner)/\(name)/resolve/\(revision)/\(entry.path)")
            let local = try SafeFileName.checked((entry.path as NSString).lastPathComponent, in: url.shown)
            return RemoteFile(origin: url, name: names.unique(local, for: url), size: entry.size, sha256: entry.sha256)
        }
        var files: [(ManifestDocument.Role, RemoteFile)] = [(.model, try remote(selection.model[0]))]
        let parts = try selection.model.dropFirst().map(remote)
        if let entry = selection.projector { files.append((.multimodalProjector, try remote(entry))) }
        if let entry = selection.audioDecoder { files.append((.audioDecoder, try remote(entry))) }
        if let entry = selection.audioTokenizer { files.append((.audioTokenizer, try remote(entry))) }
        let type =
            selection.audioDecoder != nil
            ? "lfm2-audio-v1" : selection.projector != nil ? "image-to-text" : "text-to-text"
        return Self.plan(inferenceType: "llama.cpp/" + type, files: files, parts: Array(parts))
    }

    /// A manifest for files that come without one.
    package static func plan(
        inferenceType: String, files: [(role: ManifestDocument.Role, file: RemoteFile)], parts: [RemoteFile]
    ) -> ModelPlan {
        let load = JSONObject(files.map { ($0.role.rawValue, .string($0.file.origin.shown)) })
        let manifest = ManifestDocument(members: [
            "schema_version": .string("1.0.0"), "inference_type": .string(inferenceType),
            "load_time_parameters": .object(load),
        ])
        return ModelPlan(manifest: manifest, manifestURL: nil, files: files, parts: parts)
    }
}
