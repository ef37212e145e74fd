package import Foundation
import LeapBase
import LeapHTTP
import LeapJSON

/// The files that have to be fetched for a model, before any of them is.
package struct ModelPlan: Sendable {
    /// The manifest as its source has it.
    package var manifest: ManifestDocument
    /// The address of the manifest; nil for one that was put together from a listing.
    package var manifestURL: URL?
    /// The file of each role.
    package var files: [(role: ManifestDocument.Role, file: RemoteFile)]
    /// Parts of a split model after the first.
    package var parts: [RemoteFile]

    /// All files.
    package var allFiles: [RemoteFile] { files.map(\.file) + parts }

    /// The manifest as it is kept next to the files: relative paths, and where everything came from.
    package func localManifest(folder: String, reference: ModelReference, installed: [InstalledFile])
        -> ManifestDocument
    {
        var local = manifest
        for (role, file) in files { local.set(role, file.name) }
        if !parts.isEmpty { local.setFurtherParts(parts.map(\.name)) }
        if let manifestURL { local.members["original_url"] = .string(manifestURL.shown) }
        local.members["path_on_disk"] = .string(folder + "/" + ModelStore.manifestName)
        local.installedFiles = installed
        local.reference = reference.shown
        return local
    }
}

extension ModelPlan {
    /// A plan from a manifest, whose files may be addresses or paths relative to it.
    init(_ manifest: ManifestDocument, at url: URL) throws {
        var files: [(role: ManifestDocument.Role, file: RemoteFile)] = []
        var names = NameTable()
        for role in ManifestDocument.Role.allCases {
            guard let text = manifest.file(role) else { continue }
            files.append((role, try names.file(text, relativeTo: url)))
        }
        var parts = try manifest.furtherParts.map { try names.file($0, relativeTo: url) }
        if parts.isEmpty, let model = files.first?.file { parts = names.furtherParts(of: model) }
        self.init(manifest: manifest, manifestURL: url, files: files, parts: parts)
    }

    /// Gives every file of a model a name of its own.
    package struct NameTable {
        private var taken: Set<String> = []

        package init() {}

        package mutating func file(_ text: String, relativeTo base: URL) throws -> RemoteFile {
            let place = "\(base.shown): \"\(ShownText.of(text, limit: 120))\""
            if text.unicodeScalars.contains(where: { $0.value == 0 }) {
                throw DownloadError(.unsafeFileName, "\(place) contains a NUL.", url: base)
            }
            let url: URL
            if text.contains("://") {
                guard let absolute = URL(string: text) else {
                    throw DownloadError(.invalidManifest, "\(place) is not an address.", url: base)
                }
                url = try Fetcher.checked(absolute)
            } else {
                let components = text.split(whereSeparator: { $0 == "/" || $0 == "\\" })
                let isDrive = components.first.map { $0.count == 2 && $0.hasSuffix(":") } ?? true
                guard !text.hasPrefix("/"), !text.hasPrefix("\\"), !isDrive, !components.contains("..") else {
                    throw DownloadError(
                        .unsafeFileName,
                        "\(place) is outside of the model's folder; a manifest's files are next to it or have an address.",
                        url: base)
                }
                let escaped = components.map {
                    $0.addingPercentEncoding(
                        withAllowedCharacters: .urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#:;"))) ?? ""
                }.joined(separator: "/")
                guard let relative = URL(string: escaped, relativeTo: base)?.absoluteURL else {
                    throw DownloadError(.invalidManifest, "\(place) is not a path.", url: base)
                }
                url = try Fetcher.checked(relative)
            }
            return RemoteFile(origin: url, name: unique(try SafeFileName.of(url), for: url))
        }

        /// The other parts of a model whose first part is named as one.
        package mutating func furtherParts(of first: RemoteFile) -> [RemoteFile] {
            guard let split = GGUFSelection.Split(first.origin.lastPathComponent), split.count > 1,
                first.origin.lastPathComponent == split.path(1)
            else { return [] }
            return (2...split.count).map { number in
                var parts = URLComponents(url: first.origin, resolvingAgainstBaseURL: true)
                let folder = (parts?.path as NSString?)?.deletingLastPathComponent ?? ""
                parts?.path = (folder as NSString).appendingPathComponent(split.path(number))
                let url = parts?.url ?? first.origin
                return RemoteFile(origin: url, name: unique(split.path(number), for: url))
            }
        }

        package mutating func unique(_ name: String, for url: URL) -> String {
            // File systems may not tell upper from lower case.
            if taken.insert(name.lowercased()).inserted { return name }
            let other = SafeFileName.distinct(name, for: url.absoluteString)
            if taken.insert(other.lowercased()).inserted { return other }
            // One address twice.
            let third = SafeFileName.distinct(name, for: "\(url.absoluteString) \(taken.count)")
            taken.insert(third.lowercased())
            return third
        }
    }
}
