extension GPUProperties {
    /// Refuses a run of a kernel outside of its interface or the device's limits.
    package func check(
        _ kernel: GPUKernel, _ bindings: [GPUBinding], constantCount: Int, groups: (x: Int, y: Int, z: Int)
    ) throws(GPUError) {
        guard bindings.count == kernel.bufferCount, constantCount == kernel.constantCount else {
            throw .invalid(
                "\(kernel.entry) has \(kernel.bufferCount) buffers and \(kernel.constantCount) constants, "
                    + "not \(bindings.count) and \(constantCount)")
        }
        for (count, limit) in zip([groups.x, groups.y, groups.z], groupCounts) where !(1...limit).contains(count) {
            throw .invalid("\(kernel.entry) with \(count) workgroups: 1 to \(limit) are possible")
        }
        for binding in bindings {
            let range = binding.range, byteCount = binding.buffer.byteCount
            guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= byteCount else {
                throw .invalid("\(kernel.entry) is given bytes \(range) of a buffer of \(byteCount)")
            }
            guard range.lowerBound % bindingAlignment == 0, range.count <= bindingByteCount else {
                throw .invalid(
                    "\(kernel.entry) is given bytes \(range): a multiple of \(bindingAlignment) to start at, "
                        + "and at most \(bindingByteCount) bytes are possible")
            }
        }
    }
}
