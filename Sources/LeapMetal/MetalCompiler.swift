import Foundation

#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Dispatch
    import LeapBase
    import LeapGPU
    import Metal

    /// Compiles the kernels in use, several at a time.
    ///
    /// Products of one type of weights share a library. The system keeps what it compiled for the next start of an app,
    /// and a store keeps the kernels.
    final class MetalCompiler: @unchecked Sendable {  // what changes is behind a lock; a device compiles on any thread
        /// The width of a SIMD-group on Apple's GPUs.
        static let subgroupSize = 32

        private struct Started {
            var libraries: [MetalKernelText.Library: MetalCompilation<any MTLLibrary>] = [:]
            var kernels: [GPUKernel: MetalCompilation<any MTLComputePipelineState>] = [:]
        }

        private let device: any MTLDevice
        private let store: (any MetalKernelStore)?
        /// Kernels that are being compiled.
        private let compiling = DispatchGroup()
        private let started = Locked(Started())
        private let threads = DispatchQueue(
            label: "open-leap.metal-kernels", qos: .userInitiated, attributes: .concurrent)

        init(_ device: any MTLDevice, _ store: (any MetalKernelStore)?) {
            self.device = device
            self.store = store
        }

        /// Has kernels compiled whose compilation was not begun before, and kept once all of them are.
        func begin(_ kernels: [GPUKernel]) {
            for kernel in kernels {
                if let text = try? MetalKernelText.of(kernel) { _ = compilation(kernel, text) }
            }
            // Keeping compiles them once more; the first reply does not wait for it.
            if let store { compiling.notify(queue: .global(qos: .utility)) { store.save() } }
        }

        /// A compiled kernel, for which this waits if it has to.
        func pipeline(
            _ kernel: GPUKernel, _ text: MetalKernelText
        ) throws(GPUError) -> any MTLComputePipelineState {
            try compilation(kernel, text).result()
        }

        private func compilation(
            _ kernel: GPUKernel, _ text: MetalKernelText
        ) -> MetalCompilation<any MTLComputePipelineState> {
            started.withLock { started in
                if let known = started.kernels[kernel] { return known }
                let made = MetalCompilation<any MTLComputePipelineState>()
                started.kernels[kernel] = made
                let known = started.libraries[text.library], library = known ?? MetalCompilation<any MTLLibrary>()
                started.libraries[text.library] = library
                // Through `self`: in the SDK of Xcode 16 devices are not Sendable. Whoever waits for a library was
                // queued behind it.
                threads.async(group: compiling) { [self] in
                    if known == nil { library.finish(Self.library(text, device)) }
                    made.finish(library.outcome().flatMap { Self.pipeline(text, $0, device, store) })
                }
                return made
            }
        }

        /// Compiles a text.
        static func compile(
            _ text: MetalKernelText, _ device: any MTLDevice
        ) -> Result<any MTLComputePipelineState, GPUError> {
            library(text, device).flatMap { pipeline(text, $0, device) }
        }

        private static func library(_ text: MetalKernelText, _ device: any MTLDevice) -> Result<
            any MTLLibrary, GPUError
        > {
            do {
                return .success(try device.makeLibrary(source: text.source, options: options(text.library.type)))
            } catch {
                return .failure(.refusedText(kernel: text.entry, reason: error.localizedDescription))
            }
        }

        private static func pipeline(
            _ text: MetalKernelText, _ library: any MTLLibrary, _ device: any MTLDevice,
            _ store: (any MetalKernelStore)? = nil
        ) -> Result<any MTLComputePipelineState, GPUError> {
            let state: any MTLComputePipelineState
            do {
                let constants = MTLFunctionConstantValues()
                var width = UInt32(subgroupSize)
                constants.setConstantValue(&width, type: .uint, index: 0)
                let function = try library.makeFunction(name: text.function, constantValues: constants)
                if let kept = store?.pipeline(function) {
                    state = kept
                } else {
                    state = try device.makeComputePipelineState(function: function)
                    store?.add(function)
                }
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
        private static func options(_ type: Int?) -> MTLCompileOptions {
            let options = MTLCompileOptions()
            if let type { options.preprocessorMacros = [MetalKernelText.typeMacro: NSNumber(value: type)] }
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

    /// A library or a kernel that is being compiled, or was.
    private final class MetalCompilation<Compiled>: @unchecked Sendable {  // written once, before the group is left
        private let done = DispatchGroup()
        private var made: Result<Compiled, GPUError> = .failure(.lost)

        init() { done.enter() }

        func finish(_ outcome: Result<Compiled, GPUError>) {
            made = outcome
            done.leave()
        }

        func outcome() -> Result<Compiled, GPUError> {
            done.wait()
            return made
        }

        func result() throws(GPUError) -> Compiled { try outcome().get() }
    }
#endif
