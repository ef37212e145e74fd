#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    package import LeapGPU

    /// A kernel in Metal's language: a library of its own, so that only those in use are compiled, several at a time.
    package struct MetalKernelText: Sendable {
        package let module: String
        package let entry: String
        /// Of the files that the text was made from.
        package let sourcesSHA256: String
        package let compiler: String
        /// Threads of a workgroup in each dimension.
        package let threads: [Int]
        /// The index at which the kernel takes each of its buffers; nil for one that it does not read.
        package let buffers: [Int?]
        /// The index at which it takes its parameters; nil without any.
        package let constants: Int?
        package let source: String

        package init(
            module: String, entry: String, sourcesSHA256: String, compiler: String, threads: [Int], buffers: [Int?],
            constants: Int?, source: String
        ) {
            (self.module, self.entry, self.sourcesSHA256) = (module, entry, sourcesSHA256)
            (self.compiler, self.threads, self.buffers) = (compiler, threads, buffers)
            (self.constants, self.source) = (constants, source)
        }

        private static let byEntry = Dictionary(all.map { ($0.entry, $0) }, uniquingKeysWith: { first, _ in first })

        /// The text of a kernel.
        package static func of(_ kernel: GPUKernel) -> MetalKernelText? { byEntry[kernel.entry] }

        /// Stands for the sources of all kernels: others may compute other bits.
        package static let identity: String = {
            let modules = Dictionary(all.map { ($0.module, $0.sourcesSHA256) }, uniquingKeysWith: { first, _ in first })
            return modules.sorted { $0.key < $1.key }.map { String($0.value.prefix(4)) }.joined()
        }()
    }
#endif
