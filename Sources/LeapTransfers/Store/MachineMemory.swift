import Foundation

/// How much memory this machine has.
enum MachineMemory {
    /// Bytes of all memory that this process may use.
    static var physical: Int64? {
        var bytes = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        #if os(Linux)
            // A container may be allowed less.
            if let text = text("/sys/fs/cgroup/memory.max"), let limit = OutsideNumber.size(text), limit > 0 {
                bytes = min(bytes, limit)
            }
        #endif
        return bytes > 0 ? bytes : nil
    }

    /// Bytes that are free, or that the system can free without writing.
    static var available: Int64? {
        #if os(Linux)
            guard let lines = text("/proc/meminfo")?.split(separator: "\n"),
                let line = lines.first(where: { $0.hasPrefix("MemAvailable:") }),
                let kilobytes = OutsideNumber.size(line.filter(\.isNumber))
            else { return nil }
            return kilobytes << 10
        #elseif os(iOS)
            return Int64(clamping: os_proc_available_memory())
        #else
            return nil
        #endif
    }

    #if os(Linux)
        private static func text(_ path: String) -> String? {
            guard let bytes = try? StoreFiles.read(path, limit: 1 << 16) else { return nil }
            return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    #endif
}

#if os(iOS)
    import os
#endif
