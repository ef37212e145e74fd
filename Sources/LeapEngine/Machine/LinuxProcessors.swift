import LeapBase

/// What Linux tells about processors in the files of `/proc` and `/sys`.
package struct LinuxProcessors {
    /// The folder that holds `proc` and `sys`, with a slash at its end.
    private let root: String

    package init(root: String = "/") { self.root = root }

    /// The processors that this process may run on, or nil where the system does not tell.
    package var allowed: [Int]? {
        guard let status = SystemFile.text(root + "proc/self/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed_list:") })
        else { return nil }
        return Self.list(line.dropFirst("Cpus_allowed_list:".count))
    }

    /// How many physical cores some processors are part of, without those that are much slower than the fastest.
    package func fastCores(of processors: [Int]) -> Int {
        let efficient = Set(efficientProcessors)
        var capacities: [String: Int] = [:]
        for processor in processors {
            let folder = root + "sys/devices/system/cpu/cpu\(processor)/"
            let siblings = SystemFile.line(folder + "topology/thread_siblings_list").map(String.init) ?? "\(processor)"
            let told = SystemFile.line(folder + "cpu_capacity").flatMap { Int($0) } ?? Self.fullCapacity
            capacities[siblings] = efficient.contains(processor) ? min(told, Self.efficientCapacity) : told
        }
        let most = capacities.values.max() ?? Self.fullCapacity
        return capacities.values.filter { $0 * 2 > most }.count
    }

    /// Processors' worth of time that the control groups of this process allow (`cpu.max`, `cpu.cfs_quota_us`), or nil where they
    /// set no limit.
    package var quota: Double? {
        guard let groups = SystemFile.text(root + "proc/self/cgroup") else { return nil }
        var least: Double?
        for group in groups.split(separator: "\n") {
            let parts = group.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isSecondVersion = parts[0] == "0" && parts[1].isEmpty
            guard isSecondVersion || parts[1].split(separator: ",").contains("cpu") else { continue }
            // The limits of all groups above hold too.
            for folder in Self.foldersAbove(parts[2]) {
                let places = isSecondVersion ? ["", "unified/"] : ["cpu/", "\(parts[1])/"]
                for place in places {
                    let at = root + "sys/fs/cgroup/" + place + folder
                    guard let limit = isSecondVersion ? Self.limit(at) : Self.firstVersionLimit(at) else { continue }
                    least = min(least ?? limit, limit)
                }
            }
        }
        return least
    }

    /// The capacity of the fastest core, as Linux counts it, and what is taken for that of a core made to save energy.
    private static let fullCapacity = 1024
    private static let efficientCapacity = 256

    /// The efficient cores of Intel's hybrid processors, which have measuring units of their own.
    ///
    /// Their `cpu_capacity` is missing or more than half of that of the others.
    private var efficientProcessors: [Int] {
        SystemFile.line(root + "sys/devices/cpu_atom/cpus").flatMap { Self.list($0) } ?? []
    }

    /// The numbers of a list such as `0-3,8`, or nil if it is none.
    private static func list(_ text: Substring) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(separator: ",") {
            let bounds = part.split(separator: "-").map { Int($0.filter { !$0.isWhitespace }) ?? -1 }
            guard let low = bounds.first, let high = bounds.last, low >= 0, low <= high, high < 65536 else {
                return nil
            }
            numbers.append(contentsOf: low...high)
        }
        return numbers.isEmpty ? nil : numbers
    }

    /// The folders of a group and of those above it, each with a slash at its end, up to the outermost, which is empty.
    private static func foldersAbove(_ path: Substring) -> [String] {
        let names = path.split(separator: "/")
        // A group outside what this process sees is told with "..".
        guard !names.contains("..") else { return [""] }
        return (0...names.count).map { count in names.prefix(count).map { $0 + "/" }.joined() }
    }

    /// `cpu.max` of a folder: microseconds of each period, and the period.
    private static func limit(_ folder: String) -> Double? {
        guard let words = SystemFile.line(folder + "cpu.max")?.split(separator: " "), words.count == 2 else {
            return nil
        }
        return ratio(words[0], words[1])
    }

    private static func firstVersionLimit(_ folder: String) -> Double? {
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
