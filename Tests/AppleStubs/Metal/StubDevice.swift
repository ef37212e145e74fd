// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A device that carries kernels out on the processor: their text is compiled by clang, their threads are fibers.
public final class StubDevice: MTLDevice, @unchecked Sendable {  // what changes is behind a lock
    /// The settings and the record of the device, for tests.
    public struct State: Sendable {
        /// The failures of the next commands, one after the other.
        public var failures: [MTLCommandBufferError.Code] = []
        /// True if commands are kept and not carried out.
        public var isHanging = false
        /// The families that the device is of.
        public var families: Set<MTLGPUFamily> = [.apple6, .apple7]
        public var hasUnifiedMemory = true
        public var threadExecutionWidth = 32
        /// Called with each text that is compiled.
        public var onCompilation: (@Sendable (String) -> Void)?
        /// Called with the name of each function that is taken from a library.
        public var onFunction: (@Sendable (String) -> Void)?
        /// Decides the order of threadgroups and threads.
        public var seed: UInt64 = 1
        /// False on devices that tests do not set up, so that they leave no files in the user's caches.
        public var hasArchives = false
        public var commandBufferCount = 0
        /// Functions that became pipelines by compilation, and those that an archive had.
        public var compiledFunctions: [String] = []
        public var archivedFunctions: [String] = []
        /// Bytes of memory of the host that became buffers without a copy.
        public var sharedByteCount = 0
        /// Accesses of kernels that Metal does not define.
        public var problems: [String] = []
    }

    private let lock = NSLock()
    private var state = State()
    /// The residency sets of its queues.
    private var sets: [StubResidencySet] = []

    public init() {}

    /// True if there is a compiler for kernels.
    public static var canCompile: Bool { KernelCompiler.clang != nil }

    public func withState<R>(_ body: (inout State) -> R) -> R { lock.withLock { body(&state) } }

    /// Bytes of the buffers that are kept in the device's memory, and whether a set asks for that now.
    public var residency: (byteCount: Int, isRequested: Bool) {
        let sets = lock.withLock { self.sets }
        return (sets.reduce(0) { $0 + $1.byteCount }, sets.contains { $0.isRequested })
    }

    /// Lets go of what is kept in the device's memory, as macOS 26 does about a second after its last use.
    public func unwire() {
        for set in lock.withLock({ sets }) { set.endResidency() }
    }

    public let name = "Emulated Apple GPU"
    public var hasUnifiedMemory: Bool { withState { $0.hasUnifiedMemory } }
    public let maxBufferLength = 1 << 31
    public let recommendedMaxWorkingSetSize: UInt64 = 4 << 30
    public func supportsFamily(_ gpuFamily: MTLGPUFamily) -> Bool { withState { $0.families.contains(gpuFamily) } }

    public func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)? {
        guard (1...maxBufferLength).contains(length) else { return nil }
        return StubBuffer(length: length)
    }

    public func makeBuffer(
        bytesNoCopy pointer: UnsafeMutableRawPointer, length: Int, options: MTLResourceOptions,
        deallocator: (@Sendable (UnsafeMutableRawPointer, Int) -> Void)?
    ) -> (any MTLBuffer)? {
        let page = Int(getpagesize())
        guard length > 0, length % page == 0, Int(bitPattern: pointer) % page == 0 else { return nil }
        withState { $0.sharedByteCount += length }
        return StubBuffer(over: pointer, length: length)
    }

    public func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary {
        withState { $0.onCompilation }?(source)
        return StubLibrary(try KernelCompiler.compile(source, options?.preprocessorMacros ?? [:])) { [weak self] name in
            self?.withState { $0.onFunction }?(name)
        }
    }

    public func makeComputePipelineState(function: any MTLFunction) throws -> any MTLComputePipelineState {
        guard let function = function as? StubFunction else { throw StubError("a function of another device") }
        withState { $0.compiledFunctions.append(function.kernel.name) }
        return StubPipeline(function, width: withState { $0.threadExecutionWidth })
    }

    public func makeComputePipelineState(
        descriptor: MTLComputePipelineDescriptor, options: MTLPipelineOption,
        reflection: UnsafeMutablePointer<MTLComputePipelineReflection?>?
    ) throws -> any MTLComputePipelineState {
        guard let function = descriptor.computeFunction as? StubFunction else {
            throw StubError("a descriptor without a function of this device")
        }
        let archives = (descriptor.binaryArchives ?? []).compactMap { $0 as? StubArchive }
        guard archives.contains(where: { $0.has(function) }) else {
            if options.contains(.failOnBinaryArchiveMiss) { throw StubError("no archive has the function") }
            return try makeComputePipelineState(function: function)
        }
        withState { $0.archivedFunctions.append(function.kernel.name) }
        return StubPipeline(function, width: withState { $0.threadExecutionWidth })
    }

    public func makeBinaryArchive(descriptor: MTLBinaryArchiveDescriptor) throws -> any MTLBinaryArchive {
        guard withState({ $0.hasArchives }) else { throw StubError("this device makes no archives") }
        return try StubArchive(descriptor.url)
    }

    public func makeCommandQueue() -> (any MTLCommandQueue)? { StubQueue(self) }

    public func makeResidencySet(descriptor desc: MTLResidencySetDescriptor) throws -> any MTLResidencySet {
        let set = StubResidencySet()
        lock.withLock { sets.append(set) }
        return set
    }
}

/// The error with which the stub refuses something.
struct StubError: LocalizedError {
    let errorDescription: String?
    init(_ reason: String) { errorDescription = reason }
}

/// Memory that holds no numbers at first.
final class StubBuffer: MTLBuffer {
    let length: Int
    private let start: UnsafeMutableRawPointer
    private let isOwn: Bool

    init(length: Int) {
        self.length = length
        start = .allocate(byteCount: length, alignment: 4096)
        memset(start, 0xff, length)
        isOwn = true
    }

    init(over start: UnsafeMutableRawPointer, length: Int) {
        (self.start, self.length, isOwn) = (start, length, false)
    }

    deinit { if isOwn { start.deallocate() } }

    func contents() -> UnsafeMutableRawPointer { start }
}

/// A residency set that says what it would keep.
final class StubResidencySet: MTLResidencySet, @unchecked Sendable {  // what changes is behind a lock
    private let lock = NSLock()
    private var added: [ObjectIdentifier: Int] = [:]
    private var committed: [ObjectIdentifier: Int] = [:]
    private var isAsked = false

    var byteCount: Int { lock.withLock { committed.values.reduce(0, +) } }
    var isRequested: Bool { lock.withLock { isAsked } }

    func addAllocation(_ allocation: any MTLAllocation) {
        lock.withLock { added[ObjectIdentifier(allocation)] = (allocation as? any MTLBuffer)?.length ?? 0 }
    }
    func removeAllocation(_ allocation: any MTLAllocation) {
        _ = lock.withLock { added.removeValue(forKey: ObjectIdentifier(allocation)) }
    }
    func commit() { lock.withLock { committed = added } }
    func requestResidency() { lock.withLock { isAsked = true } }
    func endResidency() { lock.withLock { isAsked = false } }
}
