import Foundation
import LeapHTTP
import LeapJSON

/// The files of a Hugging Face repository, as its API lists them.
enum RepositoryListing {
    /// A file of the repository.
    struct ListedFile: Sendable, Hashable {
        var path: String
        var size: Int64?
        var sha256: String?
    }

    /// Bytes of all pages of a list, at most.
    static let longest = 32 << 20
    /// Pages of a list, at most.
    static let maxPages = 100

    /// Reads one page of `/api/models/{owner}/{name}/tree/{revision}`.
    static func parse(_ bytes: [UInt8], place: String) throws -> [ListedFile] {
        func refuse(_ reason: String) -> DownloadError {
            DownloadError(
                .protocolViolation,
                "\(place): not a list of files as Hugging Face gives it (\(reason)); check HF_ENDPOINT.")
        }
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw refuse("not JSON: \(error)")
        }
        guard let items = value.array else { throw refuse("\(value.kind) instead of an array") }
        return try items.compactMap { item in
            guard let path = item["path"]?.string else { throw refuse("an entry without a path") }
            guard item["type"] ?? .null == .null || item["type"] == "file" else { return nil }
            let large = item["lfs"]
            let oid = large?["oid"]?.string.map { $0.hasPrefix("sha256:") ? String($0.dropFirst(7)) : $0 }
            let sha256 = oid.flatMap { Hexadecimal.isSHA256($0) ? $0.lowercased() : nil }
            let size = try (large?["size"] ?? item["size"]).flatMap { value -> Int64? in
                if value == .null { return nil }
                guard let size = OutsideNumber.size(value) else {
                    let found = value.number?.spelling ?? value.kind
                    throw refuse("\(path.prefix(200)) has \(found.prefix(64)) bytes, which no file has")
                }
                return size
            }
            return ListedFile(path: path, size: size, sha256: sha256)
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
