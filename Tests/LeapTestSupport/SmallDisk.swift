#if os(Linux)
    import Foundation

    /// A small file system in memory, where one may be mounted; it is gone when this value is released.
    package final class SmallDisk {
        /// The folder in which it is mounted.
        package let folder: String

        /// True if this process may mount one.
        package static let canMount = geteuid() == 0 && SmallDisk(byteCount: 1 << 20) != nil

        /// Mounts a file system; nil where that is not allowed.
        ///
        /// - Parameter byteCount: the bytes that it has.
        package init?(byteCount: Int) {
            folder = NSTemporaryDirectory() + "leap-mount-" + UUID().uuidString
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            guard Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(byteCount)", "tmpfs", folder]) else {
                try? FileManager.default.removeItem(atPath: folder)
                return nil
            }
        }

        deinit {
            _ = Self.run("/bin/umount", [folder])
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// Allows no more writing.
        package func makeReadOnly() -> Bool { Self.run("/bin/mount", ["-o", "remount,ro", folder]) }

        private static func run(_ program: String, _ arguments: [String]) -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }
#endif
