/// A control group of the second version that limits memory.
package struct MemoryGroup: Sendable, Equatable {
    /// Its folder, with a slash at its end.
    package let folder: String
    /// Bytes that are allowed: `memory.max` or `memory.high`, whichever is smaller.
    package let limit: Int64

    package init(folder: String, limit: Int64) {
        self.folder = folder
        self.limit = limit
    }

    /// The file whose counters change when a limit is reached; poll(2) reports each change.
    package var eventsPath: String { folder + "memory.events" }

    /// The file by which the kernel reports stalls of this group; see `Documentation/accounting/psi.rst`.
    package var pressurePath: String { folder + "memory.pressure" }

    /// The lines of `memory.stat` that count what cannot be freed without swap.
    private static let heldKinds: Set<Substring> = [
        "anon", "shmem", "kernel_stack", "pagetables", "slab_unreclaimable",
    ]

    /// Bytes that the kernel cannot free without swap; nil where it does not say.
    ///
    /// Pages of files are no part of it: a group that reads a model may be at its limit all the time because of them.
    package var heldByteCount: Int64? {
        guard let text = SystemFile.text(folder + "memory.stat") else { return nil }
        let counts = text.split(separator: "\n").compactMap { line -> Int64? in
            let words = line.split(separator: " ")
            guard words.count == 2, Self.heldKinds.contains(words[0]) else { return nil }
            return Int64(words[1])
        }
        return counts.isEmpty ? nil : counts.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }
}
