import LeapBase

/// How many threads computing profits from on this machine.
package enum ThreadAdvisor {
    /// One for each fast physical core that this process may run on: a second thread on a core only takes turns with the first at its
    /// arithmetic, and the slowest thread of a pass is waited for.
    package static let recommended: Int = max(1, min(fastCores(), 64))

    private static func fastCores() -> Int {
        #if canImport(Darwin)
            // hw.perflevel0 counts the performance cores of Apple silicon; Intel Macs do not have it.
            for name in ["hw.perflevel0.physicalcpu", "hw.physicalcpu"] {
                var value: Int32 = 0
                var size = MemoryLayout<Int32>.size
                if sysctlbyname(name, &value, &size, nil, 0) == 0, value > 0 { return Int(value) }
            }
            return 1
        #else
            let allowed = allowedProcessors()
            var cores: [String: Int] = [:]
            for processor in allowed {
                let topology = "/sys/devices/system/cpu/cpu\(processor)/"
                let siblings = SystemFile.text(topology + "topology/thread_siblings_list") ?? "\(processor)"
                cores[siblings] = SystemFile.text(topology + "cpu_capacity").flatMap(leadingNumber) ?? 1024
            }
            // Arm systems tell the capacity of each core; those well below the largest are the efficient ones.
            let most = cores.values.max() ?? 1024
            return cores.values.filter { $0 * 2 > most }.count
        #endif
    }

    #if !canImport(Darwin)
        private static func leadingNumber(_ text: String) -> Int? { Int(text.prefix { $0.isNumber }) }

        /// The processors of a line such as `Cpus_allowed_list:  0-3,8`.
        private static func allowedProcessors() -> [Int] {
            let fallback = Array(0..<max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))
            guard let status = SystemFile.text("/proc/self/status"),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed_list:") })
            else { return fallback }
            var processors: [Int] = []
            for part in line.dropFirst("Cpus_allowed_list:".count).split(separator: ",") {
                let bounds = part.split(separator: "-").map { Int($0.filter { $0.isNumber }) ?? -1 }
                guard let low = bounds.first, let high = bounds.last, low >= 0, low <= high, high < 65536 else {
                    return fallback
                }
                processors.append(contentsOf: low...high)
            }
            return processors.isEmpty ? fallback : processors
        }
    #endif
}
