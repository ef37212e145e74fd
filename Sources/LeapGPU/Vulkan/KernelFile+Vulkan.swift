/// The kernels of Vulkan's devices: SPIR-V, one piece of code for each module.
extension KernelFile {
    package static let vulkan: Result<KernelFile, GPUError> = Result { () throws(GPUError) in
        try shipped("vulkan.kernels", bundle: "open-leap_LeapGPU")
    }

    /// Stands for the sources of the kernels that are shipped; empty where they are missing.
    package static var vulkanIdentity: String { (try? vulkan.get())?.identity ?? "" }

    /// The first word of SPIR-V.
    private static let magic: UInt32 = 0x0723_0203

    /// The words of a SPIR-V module.
    ///
    /// - Throws: ``GPUError/noKernels(_:)`` where the bytes are something else.
    package func words(of code: Code) throws(GPUError) -> [UInt32] {
        let bytes = try bytes(of: code)
        let words = [UInt32](unsafeUninitializedCapacity: bytes.count / 4) { words, count in
            UnsafeMutableRawBufferPointer(words).copyBytes(from: bytes[..<(bytes.count / 4 * 4)])
            count = bytes.count / 4
        }
        guard bytes.count % 4 == 0, words.first == Self.magic else {
            throw .noKernels("\(path): \(code.name) is not SPIR-V")
        }
        return words
    }
}

extension Result {
    /// The error; nil of a success.
    package var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
