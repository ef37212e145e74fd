import LeapBase

/// The number of threads that computing profits from on this machine.
package enum ThreadAdvisor {
    /// One for each fast physical core that this process may run on, and no more than the time it is allowed: a second
    /// thread on a core only takes turns with the first at its arithmetic, and the slowest thread of a pass is waited
    /// for.
    package static let recommended: Int = {
        #if canImport(Darwin)
            return clamped(performanceCores())
        #else
            return recommended(on: LinuxProcessors(), online: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        #endif
    }()

    /// The same for what Linux tells.
    /// - Parameter online: processors that are running, for where the system does not tell which ones are allowed.
    package static func recommended(on processors: LinuxProcessors, online: Int) -> Int {
        let cores = processors.fastCores(of: processors.allowed ?? Array(0..<max(online, 1)))
        // A group whose time is used up rests until its period ends, all of its threads at once: half a processor more
        // is worth another thread, less is not.
        guard let quota = processors.quota, quota < Double(cores) else { return clamped(cores) }
        return clamped(Int(quota.rounded()))
    }

    private static func clamped(_ threads: Int) -> Int { max(1, min(threads, 64)) }

    #if canImport(Darwin)
        private static func performanceCores() -> Int {
            // hw.perflevel0 counts the performance cores of Apple silicon; Intel Macs do not have it.
            for name in ["hw.perflevel0.physicalcpu", "hw.physicalcpu"] {
                var value: Int32 = 0
                var size = MemoryLayout<Int32>.size
                if sysctlbyname(name, &value, &size, nil, 0) == 0, value > 0 { return Int(value) }
            }
            return 1
        }
    #endif
}
