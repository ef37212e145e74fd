package import Foundation
import LeapBase
import LeapVision

/// Gets pictures from their addresses.
///
/// This module has no HTTP. A module that has it conforms ``ImageAddresses`` to this protocol, and the conformance is
/// found when the program runs: no app has to connect the two.
package protocol ImageFetching {
    /// The bytes at an address.
    ///
    /// - Parameters:
    ///   - maxBytes: how many there may be.
    ///   - accepts: whether a file that begins with these bytes can be read.
    static func bytes(
        of address: String, maxBytes: Int, accepts: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> Data
}

/// The type that conforms to ``ImageFetching`` where the program has HTTP.
package enum ImageAddresses {
    static var fetch: AddressedImages.Fetch? {
        guard (Self.self as Any) is any ImageFetching.Type else { return nil }
        return { address, maxBytes, accepts in
            guard let fetching = (Self.self as Any) as? any ImageFetching.Type else { return Data() }
            return try await fetching.bytes(of: address, maxBytes: maxBytes, accepts: accepts)
        }
    }
}

/// Pictures that messages name by their addresses, and how many bytes of them are fetched.
package struct AddressedImages: Sendable {
    /// A function as ``ImageFetching/bytes(of:maxBytes:accepts:)``.
    package typealias Fetch =
        @Sendable (_ address: String, _ maxBytes: Int, _ accepts: @escaping @Sendable ([UInt8]) -> Bool) async throws
        -> Data

    /// Bytes of a picture that are fetched where no option says otherwise.
    package static let standardMaxBytes = 20_000_000
    /// Addresses in one history that are fetched for a generation.
    package static let maxCount = 32

    /// Bytes that one picture may have; 0 for none that are fetched.
    package let maxBytes: Int
    private let fetch: Fetch?

    package init(maxBytes: Int = standardMaxBytes, fetch: Fetch? = ImageAddresses.fetch) {
        self.maxBytes = maxBytes
        self.fetch = fetch
    }

    /// Returns whether some message names a picture by its address.
    package static func areIn(_ messages: [ChatMessage]) -> Bool {
        messages.contains { $0.pictures.contains { ImageReference($0) != nil } }
    }

    /// The messages with the bytes of their pictures in place of addresses.
    ///
    /// - Throws: ``LeapGenerationException`` that names the message and the address, or `CancellationError`.
    package func fetched(_ messages: [ChatMessage]) async throws -> [ChatMessage] {
        var messages = messages
        var known: [String: Data] = [:]
        // All together may have the bytes of four that are as large as may be.
        var room = maxBytes.multipliedReportingOverflow(by: 4).partialValue
        for index in messages.indices {
            for (place, part) in messages[index].content.enumerated() {
                guard let address = part.picture.flatMap(ImageReference.init)?.url else { continue }
                if known[address] == nil {
                    let data = try await bytes(of: address, room: room, count: known.count, message: index)
                    known[address] = data
                    room -= data.count
                }
                // What a model was told, and the text of a reply, are as they were.
                let origin = messages[index].origin
                if let data = known[address] { messages[index].content[place] = .image(data) }
                messages[index].origin = origin
            }
        }
        return messages
    }

    private func bytes(of address: String, room: Int, count: Int, message: Int) async throws -> Data {
        let shown = ShownText.of(address.prefix { !"?#".contains($0) }, limit: 80)
        func refusal(_ what: String, _ cause: (any Error)? = nil) -> LeapGenerationException {
            LeapGenerationException(message: "message \(message): \(what)", cause: cause)
        }
        guard maxBytes > 0 else {
            throw refusal(
                "the image is at \(shown), but images at URLs are not fetched because 'maxRemoteImageBytes' is 0: pass the image's bytes"
            )
        }
        guard let fetch else {
            throw refusal(
                "the image is at \(shown), but this program has no HTTP client to fetch it: import LeapSDK, or pass the image's bytes"
            )
        }
        guard count < Self.maxCount, room > 0 else {
            throw refusal(
                "there are too many images at URLs: a reply fetches at most \(Self.maxCount), of \(4 * maxBytes) bytes together; pass their bytes"
            )
        }
        do {
            return try await fetch(address, min(room, maxBytes)) { ImageFileFormat(firstBytes: $0)?.mediaType != nil }
        } catch let error where !(error is CancellationError) {
            throw refusal("\(error)", error)
        }
    }
}
