// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What the sources call of Metal, with the names and types of Apple's documentation.
public import Foundation

public struct MTLSize: Sendable {
    public var width: Int
    public var height: Int
    public var depth: Int
    public init(width: Int, height: Int, depth: Int) { (self.width, self.height, self.depth) = (width, height, depth) }
}

public struct MTLResourceOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let storageModeShared = MTLResourceOptions([])
}

public struct MTLBarrierScope: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let buffers = MTLBarrierScope(rawValue: 1)
}

public struct MTLPipelineOption: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let failOnBinaryArchiveMiss = MTLPipelineOption(rawValue: 4)
}

public enum MTLGPUFamily: Int, Sendable { case apple5 = 1005, apple6, apple7 }
public enum MTLMathMode: Int, Sendable { case safe, relaxed, fast }
public enum MTLDispatchType: UInt, Sendable { case serial, concurrent }
public enum MTLCommandBufferStatus: UInt, Sendable {
    case notEnqueued, enqueued, committed, scheduled, completed, error
}
public enum MTLDataType: UInt, Sendable { case uint = 33 }

/// The error of commands that failed, as Apple's systems report it.
public struct MTLCommandBufferError: Error, Sendable {
    public enum Code: Int, Sendable {
        case none, `internal`, timeout, pageFault, accessRevoked
        case notPermitted = 7
        case outOfMemory, invalidResource
        /// macOS reports it, and Apple's headers do not name it.
        case unnamedImpactingInteractivity = 14
    }
    public let code: Code
    public init(_ code: Code) { self.code = code }
}

open class MTLCompileOptions: NSObject {
    open var mathMode: MTLMathMode = .fast
    open var fastMathEnabled = true
    open var preprocessorMacros: [String: NSObject]?
}

open class MTLFunctionConstantValues: NSObject {
    var values: [Int: UInt32] = [:]
    open func setConstantValue(_ value: UnsafeRawPointer, type: MTLDataType, index: Int) {
        values[index] = value.loadUnaligned(as: UInt32.self)
    }
}

open class MTLResidencySetDescriptor: NSObject {
    open var label: String?
}

open class MTLBinaryArchiveDescriptor: NSObject {
    open var url: URL?
}

open class MTLComputePipelineDescriptor: NSObject {
    open var computeFunction: (any MTLFunction)?
    open var binaryArchives: [any MTLBinaryArchive]?
}

open class MTLComputePipelineReflection: NSObject {}

public protocol MTLAllocation: AnyObject {}
public protocol MTLResource: MTLAllocation {}
public protocol MTLBuffer: MTLResource {
    var length: Int { get }
    func contents() -> UnsafeMutableRawPointer
}
public protocol MTLResidencySet: AnyObject {
    func addAllocation(_ allocation: any MTLAllocation)
    func removeAllocation(_ allocation: any MTLAllocation)
    func commit()
    func requestResidency()
    func endResidency()
}
public protocol MTLFunction: AnyObject {}
public protocol MTLLibrary: AnyObject {
    func makeFunction(name: String, constantValues: MTLFunctionConstantValues) throws -> any MTLFunction
}
public protocol MTLComputePipelineState: AnyObject {
    var threadExecutionWidth: Int { get }
    var maxTotalThreadsPerThreadgroup: Int { get }
}
public protocol MTLBinaryArchive: AnyObject {
    func addComputePipelineFunctions(descriptor: MTLComputePipelineDescriptor) throws
    func serialize(to url: URL) throws
}
public protocol MTLComputeCommandEncoder: AnyObject {
    func setComputePipelineState(_ state: any MTLComputePipelineState)
    func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
    func setBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
    func dispatchThreadgroups(_ threadgroupsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize)
    func memoryBarrier(scope: MTLBarrierScope)
    func endEncoding()
}
public typealias MTLCommandBufferHandler = @Sendable (any MTLCommandBuffer) -> Void
public protocol MTLCommandBuffer: AnyObject {
    var status: MTLCommandBufferStatus { get }
    var error: (any Error)? { get }
    var gpuStartTime: Double { get }
    var gpuEndTime: Double { get }
    func makeComputeCommandEncoder(dispatchType: MTLDispatchType) -> (any MTLComputeCommandEncoder)?
    func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler)
    func commit()
}
public protocol MTLCommandQueue: AnyObject {
    func makeCommandBuffer() -> (any MTLCommandBuffer)?
    func addResidencySet(_ residencySet: any MTLResidencySet)
}
// Sendable in later SDKs, and not in that of Xcode 16: the sources have to do without.
public protocol MTLDevice: AnyObject {
    var name: String { get }
    var hasUnifiedMemory: Bool { get }
    var maxBufferLength: Int { get }
    var recommendedMaxWorkingSetSize: UInt64 { get }
    func supportsFamily(_ gpuFamily: MTLGPUFamily) -> Bool
    func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)?
    func makeBuffer(
        bytesNoCopy pointer: UnsafeMutableRawPointer, length: Int, options: MTLResourceOptions,
        deallocator: (@Sendable (UnsafeMutableRawPointer, Int) -> Void)?
    ) -> (any MTLBuffer)?
    func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary
    func makeComputePipelineState(function: any MTLFunction) throws -> any MTLComputePipelineState
    // The pointer is an AutoreleasingUnsafeMutablePointer, which Linux does not have; the sources pass nil.
    func makeComputePipelineState(
        descriptor: MTLComputePipelineDescriptor, options: MTLPipelineOption,
        reflection: UnsafeMutablePointer<MTLComputePipelineReflection?>?
    ) throws -> any MTLComputePipelineState
    func makeBinaryArchive(descriptor: MTLBinaryArchiveDescriptor) throws -> any MTLBinaryArchive
    func makeCommandQueue() -> (any MTLCommandQueue)?
    func makeResidencySet(descriptor desc: MTLResidencySetDescriptor) throws -> any MTLResidencySet
}

public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { StubDevice() }
public func MTLCopyAllDevices() -> [any MTLDevice] { [StubDevice()] }
