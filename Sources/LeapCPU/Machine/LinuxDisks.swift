import LeapBase

/// The properties of disks as Linux tells them in the files of `/sys`.
struct LinuxDisks {
    /// The folder that holds `sys`, with a slash at its end.
    private let root: String

    init(root: String = "/") { self.root = root }

    /// Bytes that are read in one when a page of a mapped file is first used, or nil where the system does not tell.
    ///
    /// - Parameter device: of the file (`st_dev`). Partitions have the settings of their disk.
    func readAhead(of device: UInt64) -> Int? {
        let number = "\(Self.major(device)):\(Self.minor(device))"
        let line =
            SystemFile.line(root + "sys/class/bdi/\(number)/read_ahead_kb")
            ?? SystemFile.line(root + "sys/dev/block/\(number)/../queue/read_ahead_kb")
        guard let kibibytes = line.flatMap({ Int($0) }), (0...Int.max >> 10).contains(kibibytes) else { return nil }
        return kibibytes << 10
    }

    /// The two halves of a device's number (`makedev(3)`).
    private static func major(_ device: UInt64) -> UInt64 { device >> 8 & 0xfff | device >> 32 & 0xffff_f000 }
    private static func minor(_ device: UInt64) -> UInt64 { device & 0xff | device >> 12 & 0xffff_ff00 }
}
