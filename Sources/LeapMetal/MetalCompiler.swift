import Foundation

#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Dispatch
    import LeapBase
    import LeapGPU
    import Metal

    /// Compiles kernels, each in a library of its own and several at a time.
    ///
    /// The system keeps what it compiled for the next start of an app.
    final class MetalCompiler: @unchecked Sendable {  // what changes is behind a lock; a device compiles on any thread
        /// The width of a SIMD-group on Apple's GPUs.
        static let subgroupSize = 32

        private let device: any MTLDevice
        private let started = Locked<[GPUKernel: MetalCompilation]>([:])
        private let threads = DispatchQueue(
            label: "open-leap.metal-kernels", qos: .userInitiated, attributes: .concurrent)

        init(_ device: any MTLDevice) { self.device = device }

        /// Has a kernel compiled, if that was not begun before.
        func begin(_ kernel: GPUKernel) {
            if let text = MetalKernelText.of(kernel) { _ = compilation(kernel, text) }
        }

        /// A compiled kernel, for which this waits if it has to.
        func pipeline(
            _ kernel: GPUKernel, _ text: MetalKernelText
        ) throws(GPUError) -> any MTLComputePipelineState {
            try compilation(kernel, text).result()
        }

        private func compilation(_ kernel: GPUKernel, _ text: MetalKernelText) -> MetalCompilation {
            started.withLock { started in
                if let known = started[kernel] { return known }
                let made = MetalCompilation()
                started[kernel] = made
                // Through `self`: in the SDK of Xcode 16 devices are not Sendable.
                threads.async { [self] in made.finish(Self.compile(text, device)) }
                return made
            }
        }

        /// Compiles a text.
        static func compile(
            _ text: MetalKernelText, _ device: any MTLDevice
        ) -> Result<any MTLComputePipelineState, GPUError> {
            let state: any MTLComputePipelineState
            do {
                let library = try device.makeLibrary(source: text.source, options: options())
                let constants = MTLFunctionConstantValues()
                var width = UInt32(subgroupSize)
                constants.setConstantValue(&width, type: .uint, index: 0)
                let function = try library.makeFunction(name: text.entry, constantValues: constants)
                state = try device.makeComputePipelineState(function: function)
            } catch {
                return .failure(.refusedText(kernel: text.entry, reason: error.localizedDescription))
            }
            let threads = text.threads.reduce(1, *)
            guard state.threadExecutionWidth == subgroupSize, state.maxTotalThreadsPerThreadgroup >= threads else {
                let (width, most) = (state.threadExecutionWidth, state.maxTotalThreadsPerThreadgroup)
                let reason =
                    "\(text.entry) runs there in SIMD-groups of \(width) and workgroups of at most \(most) threads; "
                    + "it needs \(subgroupSize) and \(threads)"
                return .failure(.unusable(device: device.name, reason: reason))
            }
            return .success(state)
        }

        /// Floats as IEEE 754 has them: no reordering of sums, and numbers that are none stay so.
        private static func options() -> MTLCompileOptions {
            let options = MTLCompileOptions()
            if #available(iOS 18, *) {
                options.mathMode = .safe
            } else {
                #if canImport(UIKit)
                    options.fastMathEnabled = false
                #endif
            }
            return options
        }
    }

    /// A kernel that is being compiled, or was.
    private final class MetalCompilation: @unchecked Sendable {  // written once, before the group is left
        private let done = DispatchGroup()
        private var outcome: Result<any MTLComputePipelineState, GPUError> = .failure(.lost)

        init() { done.enter() }

        func finish(_ outcome: Result<any MTLComputePipelineState, GPUError>) {
            self.outcome = outcome
            done.leave()
        }

        func result() throws(GPUError) -> any MTLComputePipelineState {
            done.wait()
            return try outcome.get()
        }
    }
#endif
