import Foundation

/// The files of a Hugging Face repository, as its API lists them.
struct RepositoryListing: Sendable {
    struct Entry: Sendable, Hashable {
        var path: String
        var size: Int64?
        var sha256: String?
    }

    var entries: [Entry]

    private struct Item: Decodable {
        struct LargeFile: Decodable { var oid: String?; var size: Int64? }
        var type: String?
        var path: String
        var size: Int64?
        var lfs: LargeFile?
    }

    /// Reads one page of `/api/models/{owner}/{name}/tree/{revision}`.
    static func parse(_ bytes: [UInt8], place: String) throws -> [Entry] {
        let items: [Item]
        do {
            items = try JSONDecoder().decode([Item].self, from: Data(bytes))
        } catch {
            throw DownloadError(
                .protocolViolation, "\(place): not a list of files as Hugging Face gives it; check HF_ENDPOINT.")
        }
        return items.compactMap { item in
            guard item.type == nil || item.type == "file" else { return nil }
            let oid = item.lfs?.oid.map { $0.hasPrefix("sha256:") ? String($0.dropFirst(7)) : $0 }
            let sha256 = oid.flatMap { Hexadecimal.isSHA256($0) ? $0.lowercased() : nil }
            return Entry(path: item.path, size: item.lfs?.size ?? item.size, sha256: sha256)
        }
    }

    /// The address of the next page in a `Link` header (RFC 8288).
    static func nextPage(_ field: String?, from url: URL) -> URL? {
        for link in field?.split(separator: ",") ?? [] where link.contains("rel=\"next\"") {
            guard let open = link.firstIndex(of: "<"), let close = link.firstIndex(of: ">"), open < close else {
                continue
            }
            guard let next = URL(string: String(link[link.index(after: open)..<close]), relativeTo: url)?.absoluteURL
            else { continue }
            return next.isSameOrigin(as: url) ? next : nil
        }
        return nil
    }
}
