import Foundation
import LeapBase

/// The memory of this machine.
package enum MachineMemory {
    /// Bytes of all memory that this process may use.
    package static var physical: Int64? {
        var bytes = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        #if os(Linux)
            if let limit = ControlGroups().memory { bytes = min(bytes, limit) }
        #endif
        return bytes > 0 ? bytes : nil
    }

    /// Bytes that are free, or that the system can free without writing.
    package static var available: Int64? {
        #if canImport(Darwin) && canImport(UIKit)
            return Int64(clamping: os_proc_available_memory())
        #elseif canImport(Darwin)
            return nil
        #else
            return SystemFile.text("/proc/meminfo").flatMap { SystemFile.kilobytes("MemAvailable", in: $0) }
                .map { Int64(clamping: $0) }
        #endif
    }
}

#if canImport(Darwin) && canImport(UIKit)
    import os
#endif
