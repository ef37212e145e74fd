extension FileSystem {
    /// Returns a new pipe's ends for reading and writing, which no program inherits; nil where the process has no
    /// descriptors left.
    package static func makePipe() -> [Int32]? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }
}
