package import Foundation
import LeapBase
package import LeapHTTP

/// Gets the bytes of a picture from an address that came with a message.
///
/// Whoever wrote the message chose the address, so it may lead to the public internet only, also where a name or a
/// redirect leads elsewhere, and what arrives is bounded in bytes and in time.
package struct ImageDownload: Sendable {
    /// Redirects that are followed.
    package static let maxRedirects = 5

    private let fetcher: Fetcher
    private let schemes: Set<String>

    /// - Parameters:
    ///   - schemes: what the address may begin with.
    ///   - addresses: where it may lead.
    ///   - seconds: how long an answer may take to begin, how long 64 KiB of it may take, and all of it.
    package init(
        transport: any Transport = StandardTransport.make(), schemes: Set<String> = ["https"],
        addresses: AddressRule = .publicInternet(),
        seconds: (begin: Double, stall: Double, total: Double) = (15, 15, 60)
    ) {
        var configuration = TransferConfiguration(folder: "", endpoint: URL(fileURLWithPath: "/"))
        configuration.addresses = addresses
        configuration.redirectLimit = Self.maxRedirects
        configuration.responseTimeout = seconds.begin
        configuration.stallTimeout = seconds.stall
        configuration.minimumBytes = 64 << 10
        configuration.totalTimeout = seconds.total
        fetcher = Fetcher(transport: transport, configuration: configuration)
        self.schemes = schemes
    }

    /// The bytes at an address.
    ///
    /// - Parameters:
    ///   - maxBytes: how many there may be.
    ///   - accepts: looks at the first 16 bytes, or all where there are fewer; whatever the server says they are.
    /// - Throws: ``DownloadError`` that names the address, or `CancellationError`.
    package func bytes(
        of text: String, maxBytes: Int, accepts: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> Data {
        guard let url = URL(string: text) else {
            throw DownloadError(
                .invalidAddress,
                "'\(ShownText.of(text, limit: 60))' is not an address; expected one that begins with https://.")
        }
        guard schemes.contains(url.scheme?.lowercased() ?? "") else {
            throw DownloadError(
                .invalidAddress,
                "\(url.shown): pictures are fetched over https only; use such an address, or pass the picture's bytes.",
                url: url)
        }
        let collected = CollectedBody(maxBytes: maxBytes)
        let answer = try await fetcher.get(
            url,
            head: { answer in
                guard answer.head.status == 200 else { return false }
                let size = try OutsideNumber.size("content-length", of: answer.head, place: answer.location.shown)
                if let size, size > Int64(clamping: maxBytes) { throw Self.tooLong(url, "\(size) bytes", maxBytes) }
                return true
            },
            body: { bytes in
                let had = collected.count
                guard collected.keep(bytes) else { throw Self.tooLong(url, "more", maxBytes) }
                guard had < 16, collected.count >= 16, !accepts(collected.prefix(16)) else { return true }
                throw Self.noImage(url)
            })
        guard answer.head.status == 200 else {
            let status = answer.head.status
            throw DownloadError(
                status == 404 || status == 410
                    ? .notFound : [401, 403].contains(status) ? .accessDenied : .unexpectedStatus,
                "\(url.shown): the server answered with status \(status) instead of a picture: check the address, or pass the picture's bytes.",
                url: url, status: status)
        }
        let bytes = collected.bytes
        guard bytes.count >= 16 || accepts(bytes) else { throw Self.noImage(url) }
        return Data(bytes)
    }

    private static func tooLong(_ url: URL, _ found: String, _ maxBytes: Int) -> DownloadError {
        DownloadError(
            .protocolViolation,
            "\(url.shown): a picture may have \(maxBytes) bytes, and this address has \(found): make it smaller, or allow more.",
            url: url)
    }

    private static func noImage(_ url: URL) -> DownloadError {
        DownloadError(
            .protocolViolation,
            "\(url.shown): this is not a picture in a supported format: check the address.",
            url: url)
    }
}
