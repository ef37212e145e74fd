import LeapBase

/// Files that only the person who runs the program may read.
enum PrivateFile {
    /// Writes a file as a whole: whoever opens the path sees the old file or the new one.
    static func publish(_ bytes: [UInt8], at path: String) throws {
        try bytes.withUnsafeBytes {
            try FileSystem.publish([$0], at: path, permissions: 0o600, durable: false)
        }
    }
}
