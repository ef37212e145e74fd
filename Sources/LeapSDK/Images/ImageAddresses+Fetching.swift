import Foundation
import LeapCore
import LeapTransfers

/// Pictures at addresses come through the transport of downloads.
extension ImageAddresses: ImageFetching {
    private static let download = ImageDownload()

    package static func bytes(
        of address: String, maxBytes: Int, accepts: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> Data {
        try await download.bytes(of: address, maxBytes: maxBytes, accepts: accepts)
    }
}
