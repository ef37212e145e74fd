#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    package import LeapGPU

    /// A kernel in Metal's language.
    package struct MetalKernelText: Sendable {
        /// A library: a text, and the type of weights that it is compiled for where it has the products of all types.
        package struct Library: Hashable, Sendable {
            package let name: String
            package let type: Int?

            package init(name: String, type: Int?) { (self.name, self.type) = (name, type) }
        }

        package let module: String
        package let entry: String
        /// The kernel's name in the text.
        package let function: String
        package let library: Library
        /// Of the files that the text was made from.
        package let sourcesSHA256: String
        package let compiler: String
        /// Threads of a workgroup in each dimension.
        package let threads: [Int]
        /// The index at which the kernel takes each of its buffers; nil for one that it does not read.
        package let buffers: [Int?]
        /// The index at which it takes its parameters; nil without any.
        package let constants: Int?
        package var source: String

        /// The macro that the text takes the type of weights from, a raw value of `GGUFTensorType`.
        static let typeMacro = "LEAP_TYPE"

        private init(_ kernel: KernelFile.Kernel, of file: KernelFile) throws(GPUError) {
            (module, entry, function) = (kernel.code.module, kernel.entry, kernel.function)
            library = Library(name: kernel.code.name, type: kernel.type)
            (sourcesSHA256, compiler) = (kernel.code.sourcesSHA256, file.compiler)
            (threads, buffers, constants) = (kernel.threads, kernel.buffers, kernel.constants)
            source = String(decoding: try file.bytes(of: kernel.code), as: UTF8.self)
        }

        /// The file with the texts.
        package static let file: Result<KernelFile, GPUError> = Result { () throws(GPUError) in
            // The bundle of this module, which is another one where tests compile it over stubs.
            try KernelFile.shipped("metal.kernels", bundle: "open-leap_\(#fileID.prefix { $0 != "/" })")
        }

        private static let kernels = Dictionary(
            ((try? file.get())?.kernels ?? []).map { ($0.entry, $0) }, uniquingKeysWith: { first, _ in first })

        /// The text of a kernel; nil where there is none.
        ///
        /// - Throws: ``GPUError/noKernels(_:)``
        package static func of(_ kernel: GPUKernel) throws(GPUError) -> MetalKernelText? {
            guard let known = kernels[kernel.entry] else { return nil }
            return try MetalKernelText(known, of: try file.get())
        }

        /// The texts of all kernels.
        package static func all() throws(GPUError) -> [MetalKernelText] {
            let file = try file.get()
            var all: [MetalKernelText] = []
            for kernel in file.kernels { all.append(try MetalKernelText(kernel, of: file)) }
            return all
        }

        /// Stands for the sources of all kernels: others may compute other bits.
        package static var identity: String { (try? file.get())?.identity ?? "" }
    }
#endif
