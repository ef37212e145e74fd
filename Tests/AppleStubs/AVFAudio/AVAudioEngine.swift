// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

public typealias AVAudioNodeBus = Int
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

extension NSNotification.Name {
    public static let AVAudioEngineConfigurationChange = NSNotification.Name(
        "AVAudioEngineConfigurationChangeNotification")
}

open class AVAudioTime: NSObject {}

open class AVAudioFormat: NSObject {
    public let sampleRate: Double
    public let channelCount: AVAudioChannelCount

    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.sampleRate = sampleRate
        channelCount = channels
        super.init()
    }

    init(sampleRate: Double, channelCount: AVAudioChannelCount) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        super.init()
    }
}

open class AVAudioPCMBuffer: NSObject {
    public let format: AVAudioFormat
    public let frameCapacity: AVAudioFrameCount
    public var frameLength: AVAudioFrameCount = 0
    public var stride: Int { 1 }
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        self.format = format
        self.frameCapacity = frameCapacity
        let count = Int(format.channelCount)
        channels = .allocate(capacity: max(count, 1))
        for channel in 0..<count {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(Int(frameCapacity), 1))
            samples.initialize(repeating: 0, count: Int(frameCapacity))
            (channels + channel).initialize(to: samples)
        }
        super.init()
    }

    deinit {
        for channel in 0..<Int(format.channelCount) { channels[channel].deallocate() }
        channels.deallocate()
    }

    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        format.channelCount > 0 ? UnsafePointer(channels) : nil
    }
}

open class AVAudioNode: NSObject {
    private var tap: AVAudioNodeTapBlock?

    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        let rate = StubMicrophone.shared.state.withLock { $0.sampleRate }
        return AVAudioFormat(sampleRate: rate, channelCount: rate > 0 ? 1 : 0)
    }

    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) { tap = tapBlock }

    open func removeTap(onBus bus: AVAudioNodeBus) { tap = nil }

    /// True if somebody listens.
    public var hasTap: Bool { tap != nil }

    /// Hands samples to the tap, as the audio hardware would.
    public func deliver(_ samples: [Float]) {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: outputFormat(forBus: 0), frameCapacity: UInt32(samples.count)),
            let channel = buffer.floatChannelData?[0]
        else { return }
        for (index, sample) in samples.enumerated() { channel[index] = sample }
        buffer.frameLength = UInt32(samples.count)
        tap?(buffer, AVAudioTime())
    }
}

open class AVAudioIONode: AVAudioNode {
    public private(set) var isVoiceProcessingEnabled = false
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws { isVoiceProcessingEnabled = enabled }
}

open class AVAudioInputNode: AVAudioIONode {}
open class AVAudioMixerNode: AVAudioNode {}

public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    case dataConsumed, dataRendered, dataPlayedBack
}

open class AVAudioPlayerNode: AVAudioNode {
    public typealias Completion = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void
    private var waiting: [(buffer: AVAudioPCMBuffer, completion: Completion?)] = []
    public private(set) var isPlaying = false
    open var volume: Float = 1

    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: Completion? = nil
    ) { waiting.append((buffer, completionHandler)) }

    open func play() { isPlaying = true }

    open func stop() {
        isPlaying = false
        let ended = waiting
        waiting = []
        // Apple's calls the handlers of what is not played any more too.
        for (_, completion) in ended { completion?(.dataPlayedBack) }
    }

    /// The samples of the buffers that wait.
    public var scheduled: [[Float]] {
        waiting.map { buffer, _ in
            (0..<Int(buffer.frameLength)).map { buffer.floatChannelData?[0][$0] ?? 0 }
        }
    }

    /// Plays the first buffer that waits to its end.
    public func finishFirst() {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().completion?(.dataPlayedBack)
    }
}

open class AVAudioEngine: NSObject {
    public let inputNode = AVAudioInputNode()
    public let mainMixerNode = AVAudioMixerNode()
    public private(set) var isRunning = false
    /// The nodes that were attached and connected.
    public private(set) var attachedNodes: Set<AVAudioNode> = []
    public private(set) var connections: [(from: AVAudioNode, to: AVAudioNode, format: AVAudioFormat?)] = []

    public override init() {
        super.init()
        StubMicrophone.shared.note(self)
    }

    open func attach(_ node: AVAudioNode) { attachedNodes.insert(node) }
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        connections.append((node1, node2, format))
    }
    open func prepare() {}
    open func start() throws {
        if let failure = StubMicrophone.shared.state.withLock({ $0.failure }) {
            throw StubAudioError(errorDescription: failure)
        }
        isRunning = true
    }
    open func stop() { isRunning = false }
}
