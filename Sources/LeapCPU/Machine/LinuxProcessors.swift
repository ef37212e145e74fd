import LeapBase

/// The properties of processors as Linux tells them in the files of `/proc` and `/sys`.
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

    /// Returns the number of physical cores that some processors are part of, without those that are much slower than
    /// the fastest.
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

    /// Processors' worth of time that the control groups of this process allow, or nil where they set no limit.
    package var quota: Double? { ControlGroups(root: root).processors }

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
}
