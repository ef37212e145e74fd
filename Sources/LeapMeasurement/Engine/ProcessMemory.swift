import LeapBase
import LeapEngine

#if canImport(Darwin)
    import CLeapKernels
#endif

/// The memory of this process, as the system counts it.
package struct ProcessMemory: Sendable, Hashable {
    /// Bytes resident now, mapped files included.
    package var resident = 0
    /// The most bytes that were ever resident.
    package var peakResident = 0
    /// Bytes resident now that no file backs: what the process costs the machine on top of its files.
    package var privateResident = 0

    /// Reads the counters; those that the system does not tell stay 0.
    package static func current() -> ProcessMemory {
        var memory = ProcessMemory()
        #if canImport(Darwin)
            var info = task_vm_info_data_t()
            var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
            let status = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(leap_mach_task_self(), task_flavor_t(TASK_VM_INFO), $0, &count)
                }
            }
            guard status == KERN_SUCCESS else { return memory }
            memory.resident = Int(info.resident_size)
            memory.peakResident = Int(info.resident_size_peak)
            memory.privateResident = Int(info.phys_footprint)
        #else
            if let status = SystemFile.text("/proc/self/status") {
                memory.resident = SystemFile.kilobytes("VmRSS", in: status) ?? 0
                memory.peakResident = SystemFile.kilobytes("VmHWM", in: status) ?? 0
                memory.privateResident = SystemFile.kilobytes("RssAnon", in: status) ?? 0
            }
        #endif
        return memory
    }
}
