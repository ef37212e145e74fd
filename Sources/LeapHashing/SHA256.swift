import CLeapKernels

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
///
/// A copy goes on independently of the original.
package struct SHA256: Sendable {
    /// Bytes of a digest.
    package static let byteCount = Int(LEAP_SHA256_DIGEST)

    private var hash = leap_sha256()

    package init() {
        leap_sha256_init(&hash)
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// Appends bytes that lie in memory.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        leap_sha256_update(&hash, bytes.baseAddress, bytes.count)
    }

    /// Appends bytes.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of everything appended so far; more may be appended afterwards.
    package func finalize() -> [UInt8] {
        withUnsafePointer(to: hash) { hash in
            [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
                if let out = digest.baseAddress { leap_sha256_digest(hash, out) }
                count = Self.byteCount
            }
        }
    }
}
