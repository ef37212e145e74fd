import Foundation

final class StubLibrary: MTLLibrary {
    private let kernels: [String: CompiledKernel]
    private let onFunction: (String) -> Void

    init(_ kernels: [String: CompiledKernel], onFunction: @escaping (String) -> Void) {
        (self.kernels, self.onFunction) = (kernels, onFunction)
    }

    func makeFunction(name: String, constantValues: MTLFunctionConstantValues) throws -> any MTLFunction {
        onFunction(name)
        guard let kernel = kernels[name] else { throw StubError("the library has no function \(name)") }
        return StubFunction(kernel, constantValues.values)
    }
}

final class StubFunction: MTLFunction {
    let kernel: CompiledKernel
    let constants: [Int: UInt32]

    init(_ kernel: CompiledKernel, _ constants: [Int: UInt32]) { (self.kernel, self.constants) = (kernel, constants) }
}

final class StubPipeline: MTLComputePipelineState {
    let kernel: CompiledKernel
    let constants: [Int: UInt32]
    let threadExecutionWidth: Int
    let maxTotalThreadsPerThreadgroup = 256

    init(_ function: StubFunction, width: Int) {
        (kernel, constants, threadExecutionWidth) = (function.kernel, function.constants, width)
    }
}

/// A kernel in a library that was loaded.
struct CompiledKernel: @unchecked Sendable {  // functions of loaded code
    typealias Function = @convention(c) (UnsafeRawPointer) -> Int32

    let name: String
    /// Stands for the text that it was compiled from, with its macros.
    let library: String
    /// The indices of its arguments.
    let arguments: [Int]
    let function: Function
    /// Its code and threadgroup memory serve one run at a time.
    let lock: NSLock
}

extension StubDispatch {
    private static let problems = [
        1: "a barrier that not all threads reach", 2: "a shuffle that not all threads of a SIMD-group reach",
        3: "a threadgroup of too many threads", 4: "a width of SIMD-groups that is no power of two",
    ]

    /// Runs a threadgroup.
    ///
    /// - Returns: what the kernel did that Metal does not define.
    func run(group: Int, seed: UInt64) -> String? {
        let table = (0...(arguments.keys.max() ?? 0)).map { arguments[$0] }
        let place = [
            group % groups.width, group / groups.width % groups.height, group / groups.width / groups.height,
        ]
        let result = table.withUnsafeBufferPointer { table -> Int32 in
            // As `Launch` in fibers.h has it.
            let launch = UnsafeMutableRawPointer.allocate(byteCount: 96, alignment: 8)
            defer { launch.deallocate() }
            launch.storeBytes(of: UInt(bitPattern: table.baseAddress), as: UInt.self)
            let sizes =
                place + [groups.width, groups.height, groups.depth, threads.width, threads.height, threads.depth]
            var words = sizes.map { UInt32($0) } + [UInt32](repeating: 0, count: 10)
            for (index, value) in constants where index < 8 {
                words[9 + index] = value
                words[17] |= 1 << UInt32(index)
            }
            words[18] = UInt32(width)
            for (index, word) in words.enumerated() {
                launch.storeBytes(of: word, toByteOffset: 8 + 4 * index, as: UInt32.self)
            }
            launch.storeBytes(of: seed, toByteOffset: 88, as: UInt64.self)
            return kernel.lock.withLock { kernel.function(launch) }
        }
        return result == 0 ? nil : "\(kernel.name): \(Self.problems[Int(result)] ?? "failed")"
    }
}
