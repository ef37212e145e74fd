/// The limits that Linux control groups of both versions set for this process: those of its groups, and of all groups
/// above them.
package struct ControlGroups {
    /// The folder that holds `proc` and `sys`, with a slash at its end.
    private let root: String

    package init(root: String = "/") { self.root = root }

    /// Processors' worth of time that is allowed (`cpu.max`, `cpu.cfs_quota_us`), or nil where there is no limit.
    package var processors: Double? {
        folders(of: "cpu").compactMap { $0.isSecondVersion ? Self.time($0.path) : Self.firstVersionTime($0.path) }.min()
    }

    /// Bytes of memory that are allowed (`memory.max`, `memory.limit_in_bytes`), or nil where there is no limit.
    ///
    /// Without one, the first version tells a number that is larger than any machine's memory.
    package var memory: Int64? {
        folders(of: "memory").compactMap { folder in
            let line = SystemFile.line(folder.path + (folder.isSecondVersion ? "memory.max" : "memory.limit_in_bytes"))
            return line.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        }.min()
    }

    /// The group of the second version whose limit of memory is the smallest; nil where there is none, or no limit.
    package var memoryGroup: MemoryGroup? {
        folders(of: "memory").filter { $0.isSecondVersion }.compactMap { folder -> (path: String, limit: Int64)? in
            let limits = ["memory.max", "memory.high"].compactMap { name in
                SystemFile.line(folder.path + name).flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
            }
            return limits.min().map { (folder.path, $0) }
        }.min { $0.limit < $1.limit }.map { MemoryGroup(folder: $0.path, limit: $0.limit) }
    }

    /// The folders in which the limits of a controller may stand, each with a slash at its end.
    private func folders(of controller: String) -> [(path: String, isSecondVersion: Bool)] {
        guard let groups = SystemFile.text(root + "proc/self/cgroup") else { return [] }
        return groups.split(separator: "\n").flatMap { group -> [(path: String, isSecondVersion: Bool)] in
            let parts = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isSecondVersion = parts[0] == "0" && parts[1].isEmpty
            guard isSecondVersion || parts[1].split(separator: ",").contains(Substring(controller)) else { return [] }
            let places = isSecondVersion ? ["", "unified/"] : ["\(controller)/", "\(parts[1])/"]
            return Self.foldersAbove(parts[2]).flatMap { folder in
                places.map { (root + "sys/fs/cgroup/" + $0 + folder, isSecondVersion) }
            }
        }
    }

    /// The folders of a group and of those above it, each with a slash at its end, up to the outermost, which is empty.
    private static func foldersAbove(_ path: Substring) -> [String] {
        let names = path.split(separator: "/")
        // A group outside what this process sees is told with "..".
        guard !names.contains("..") else { return [""] }
        return (0...names.count).map { count in names.prefix(count).map { $0 + "/" }.joined() }
    }

    /// `cpu.max` of a folder: microseconds of each period, and the period.
    private static func time(_ folder: String) -> Double? {
        guard let words = SystemFile.line(folder + "cpu.max")?.split(separator: " "), words.count == 2 else {
            return nil
        }
        return ratio(words[0], words[1])
    }

    private static func firstVersionTime(_ folder: String) -> Double? {
        guard let quota = SystemFile.line(folder + "cpu.cfs_quota_us"),
            let period = SystemFile.line(folder + "cpu.cfs_period_us")
        else { return nil }
        return ratio(quota, period)
    }

    private static func ratio(_ quota: Substring, _ period: Substring) -> Double? {
        guard let quota = Double(quota), let period = Double(period), quota > 0, period > 0, quota.isFinite,
            period.isFinite
        else { return nil }
        return quota / period
    }
}
