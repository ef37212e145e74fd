import Foundation
import LeapBase

/// An identity that tells one run of the operating system from the next.
///
/// Bytes that were written but not yet forced to the disk survive the death of a process and not that of the system.
enum BootIdentity {
    /// The identity of this run, or nil if the system does not say.
    static let current: String? = {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else { return nil }
            var buffer = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("kern.bootsessionuuid", &buffer, &size, nil, 0) == 0 else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
        #else
            return SystemFile.line("/proc/sys/kernel/random/boot_id").map { String($0) }
        #endif
    }()
}
