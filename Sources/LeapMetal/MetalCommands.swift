#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Dispatch
    import Foundation
    import LeapGPU
    import Metal

    /// Commands for a Metal device: one command buffer with one encoder, whose dispatches may overlap between barriers.
    final class MetalCommands: GPUCommands {
        private let device: MetalDevice
        private let buffer: any MTLCommandBuffer
        private let encoder: any MTLComputeCommandEncoder
        private let done = DispatchSemaphore(value: 0)
        private var isSubmitted = false
        private var isDone = false
        /// The objects that the commands use, which live as long as they do.
        private var used: [AnyObject] = []

        init(_ device: MetalDevice) throws(GPUError) {
            let made = withReleasePool { () -> (any MTLCommandBuffer, any MTLComputeCommandEncoder)? in
                guard let buffer = device.queue.makeCommandBuffer(),
                    let encoder = buffer.makeComputeCommandEncoder(dispatchType: .concurrent)
                else { return nil }
                return (buffer, encoder)
            }
            guard let made else { throw .lost }
            self.device = device
            (buffer, encoder) = made
        }

        deinit {
            if !isSubmitted {
                // Metal stops a program that drops an encoder without ending it.
                encoder.endEncoding()
            } else if !isDone {
                // The memory of the host that buffers lie in may go next.
                done.wait()
            }
        }

        func dispatch(
            _ pipeline: any GPUPipeline, _ bindings: [GPUBinding], constants: [UInt32],
            groups: (x: Int, y: Int, z: Int)
        ) throws(GPUError) {
            try checkIsOpen()
            let kernel = pipeline.kernel
            guard let pipeline = pipeline as? MetalPipeline, pipeline.device === device else {
                throw .invalid("\(kernel.entry) was compiled for another device")
            }
            try device.properties.check(kernel, bindings, constantCount: constants.count, groups: groups)
            for (binding, index) in zip(bindings, pipeline.text.buffers) {
                guard let buffer = binding.buffer as? MetalBuffer, buffer.device === device else {
                    throw .invalid("a buffer of another device is given to \(kernel.entry)")
                }
                if let index { encoder.setBuffer(buffer.buffer, offset: binding.range.lowerBound, index: index) }
                used.append(buffer)
            }
            if let index = pipeline.text.constants {
                constants.withUnsafeBytes { bytes in
                    if let start = bytes.baseAddress { encoder.setBytes(start, length: bytes.count, index: index) }
                }
            }
            encoder.setComputePipelineState(pipeline.state)
            encoder.dispatchThreadgroups(
                MTLSize(width: groups.x, height: groups.y, depth: groups.z), threadsPerThreadgroup: pipeline.threads)
            used.append(pipeline)
        }

        func barrier() throws(GPUError) {
            try checkIsOpen()
            encoder.memoryBarrier(scope: .buffers)
        }

        func submit() throws(GPUError) {
            try checkIsOpen()
            isSubmitted = true
            withReleasePool {
                encoder.endEncoding()
                device.residency?.use()
                buffer.addCompletedHandler { [done] _ in done.signal() }
                buffer.commit()
            }
        }

        func wait(seconds: Double) throws(GPUError) {
            guard isSubmitted else { throw .invalid("commands are waited for before they are submitted") }
            let time = DispatchTime.now() + max(0, min(seconds, 1e9))
            guard isDone || done.wait(timeout: time) == .success else { throw .timedOut(seconds: seconds) }
            isDone = true
            if buffer.status == .error { throw GPUError(buffer.error) }
        }

        var seconds: Double? {
            guard isDone else { return nil }
            let taken = buffer.gpuEndTime - buffer.gpuStartTime
            return taken > 0 ? taken : nil
        }

        private func checkIsOpen() throws(GPUError) {
            if isSubmitted { throw .invalid("commands cannot be added or submitted after their submission") }
        }
    }

    extension GPUError {
        /// The reason why Metal did not carry out commands.
        init(_ error: (any Error)?) {
            guard let error = error as? MTLCommandBufferError else {
                self = .driver(operation: "computing", result: 0)
                return
            }
            switch error.code {
            case .outOfMemory: self = .outOfMemory(byteCount: 0)
            // What iOS answers to an app in the background; it may come before the notice, or for an app that was
            // started there.
            case .notPermitted: self = .inBackground
            case .timeout: self = .stopped
            case .pageFault: self = .lost
            default:
                self =
                    Self.isWatchdog(error)
                    ? .stopped : .driver(operation: "computing", result: Int32(clamping: error.code.rawValue))
            }
        }

        /// The code of an error that macOS reports and no header names: commands kept the screen from being drawn.
        private static let impactingInteractivity = 14

        /// True if commands were ended because they took too long, or beside those of another app that did.
        private static func isWatchdog(_ error: MTLCommandBufferError) -> Bool {
            let text = error.localizedDescription
            return error.code.rawValue == impactingInteractivity
                || ["ImpactingInteractivity", "InnocentVictim"].contains { text.contains($0) }
        }
    }

    /// Has what frameworks leave to be released later released at the end: threads of ours have no pool.
    func withReleasePool<Result>(_ body: () -> Result) -> Result {
        #if canImport(ObjectiveC)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }
#endif
