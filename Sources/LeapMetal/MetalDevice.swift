#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    package import LeapGPU
    package import Metal

    /// A device of Metal.
    package final class MetalDevice: GPUDevice {
        package let properties: GPUProperties
        let queue: any MTLCommandQueue
        /// Keeps what the device uses in its memory, where the system has that; see ``MetalResidency``.
        let residency: (any MetalResident)?
        let notices: MetalNotices
        private let device: any MTLDevice
        private let compiler: MetalCompiler
        private let store: (any MetalKernelStore)?

        /// - Parameter kernelFolder: the folder in which compiled kernels are kept for later starts; nil keeps none.
        /// - Throws: ``GPUError/unusable(device:reason:)``, or ``GPUError/lost``.
        package init(_ device: any MTLDevice, kernelFolder: String? = nil) throws(GPUError) {
            properties = GPUProperties(device)
            if let obstacle = properties.obstacle { throw .unusable(device: properties.name, reason: obstacle) }
            guard let queue = device.makeCommandQueue() else { throw .lost }
            self.device = device
            self.queue = queue
            var residency: (any MetalResident)?
            var store: (any MetalKernelStore)?
            if #available(iOS 18, *) {
                residency = MetalResidency(device, queue)
                store = kernelFolder.map { MetalKernelArchive(device, folder: $0) }
            }
            self.store = store
            compiler = MetalCompiler(device, store)
            self.residency = residency
            notices = MetalNotices { [residency] in residency?.end() }
        }

        package func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
            guard byteCount > 0, byteCount <= properties.bufferByteCount else {
                throw .invalid("a buffer of \(byteCount) bytes: 1 to \(properties.bufferByteCount) are possible")
            }
            guard let buffer = device.makeBuffer(length: byteCount, options: .storageModeShared) else {
                throw .outOfMemory(byteCount: byteCount)
            }
            return MetalBuffer(self, buffer)
        }

        package func makeBuffer(
            over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?
        ) throws(GPUError) -> any GPUBuffer {
            guard let alignment = properties.hostMemoryAlignment, let start = memory.baseAddress, !memory.isEmpty,
                memory.count % alignment == 0, UInt(bitPattern: start) % UInt(alignment) == 0
            else { throw .invalid("memory for the GPU starts and ends at multiples of a page") }
            let made = device.makeBuffer(
                bytesNoCopy: start, length: memory.count, options: .storageModeShared, deallocator: nil)
            guard let made else { throw .outOfMemory(byteCount: memory.count) }
            return MetalBuffer(self, made, owner: owner)
        }

        package func prepare(_ kernels: [GPUKernel]) { compiler.begin(kernels) }

        package func discardKeptKernels() { store?.discard() }

        package func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
            guard let text = try MetalKernelText.of(kernel) else { throw .compilation(kernel: kernel.entry, result: 0) }
            return MetalPipeline(self, try compiler.pipeline(kernel, text), kernel, text)
        }

        package func makeCommands() throws(GPUError) -> any GPUCommands {
            // In the background, iOS ends the commands of apps, or the app.
            if notices.isInBackground { throw .inBackground }
            return try MetalCommands(self)
        }
    }

    /// Memory of a Metal device.
    final class MetalBuffer: GPUBuffer {
        let buffer: any MTLBuffer
        let device: MetalDevice
        let contents: UnsafeMutableRawBufferPointer
        var byteCount: Int { contents.count }
        /// The owner of the host's memory that the buffer lies in; nil where others keep that.
        private let owner: AnyObject?

        init(_ device: MetalDevice, _ buffer: any MTLBuffer, owner: AnyObject? = nil) {
            self.device = device
            self.owner = owner
            self.buffer = buffer
            contents = UnsafeMutableRawBufferPointer(start: buffer.contents(), count: buffer.length)
            device.residency?.add(buffer)
        }

        deinit { device.residency?.remove(buffer) }
    }

    /// A kernel, compiled for a Metal device.
    final class MetalPipeline: GPUPipeline {
        let kernel: GPUKernel
        let device: MetalDevice
        let state: any MTLComputePipelineState
        let text: MetalKernelText
        /// Threads of a workgroup.
        let threads: MTLSize

        init(
            _ device: MetalDevice, _ state: any MTLComputePipelineState, _ kernel: GPUKernel, _ text: MetalKernelText
        ) {
            self.device = device
            self.state = state
            self.kernel = kernel
            self.text = text
            threads = MTLSize(width: text.threads[0], height: text.threads[1], depth: text.threads[2])
        }
    }
#endif
