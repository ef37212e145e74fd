public import Foundation
import LeapBase
import LeapVision

/// The frames of a video, each with its time.
///
/// A model reads two frames at a time, with their mean time as text in front of them. The last one of an odd number of
/// frames is read twice. Two frames a second are usual. Models limit the number of frames and the pixels of all
/// frames together; see ``maxCount`` for the limit of this type.
///
/// ```swift
/// let video = try VideoFrames(pictures: files, framesPerSecond: 2)
/// let message = ChatMessage(role: .user, content: [.video(video), .text("What happens?")])
/// ```
public struct VideoFrames: Sendable, Hashable {
    /// One frame of a video.
    public struct Frame: Sendable, Hashable {
        /// The time in seconds since the start of the video; 0 or more.
        public let time: Double
        /// The bytes of a picture's file, in a format that ``ChatMessageContent/image(_:)`` supports.
        public let data: Data

        /// Creates a frame.
        public init(time: Double, data: Data) {
            self.time = time
            self.data = data
        }
    }

    /// The maximum number of frames: 768.
    ///
    /// A model can have a lower limit.
    public static let maxCount = 768
    /// The maximum number of bytes of all frames together: 67,000,000.
    public static let maxByteCount = 67_000_000
    /// The frames per second where nothing else is said: 2.
    public static let usualFramesPerSecond = 2.0

    /// The frames, with rising times.
    public let frames: [Frame]

    /// Creates a video from frames.
    ///
    /// - Throws: ``LeapSerializationException`` that names the frame, for an empty list, for more frames or bytes than
    ///   allowed, and for times that are negative or do not rise.
    public init(_ frames: [Frame]) throws {
        guard !frames.isEmpty else {
            throw LeapSerializationException("the video has no frames; pass at least one")
        }
        guard frames.count <= Self.maxCount else {
            throw LeapSerializationException(
                "the video has \(frames.count) frames; at most \(Self.maxCount) are allowed: pass fewer frames a second"
            )
        }
        var previous = -1.0
        for (index, frame) in frames.enumerated() {
            guard frame.time.isFinite, (0...Self.maxTime).contains(frame.time) else {
                throw LeapSerializationException(
                    "the time of frame \(index) of the video is \(frame.time); expected 0 to \(Int(Self.maxTime)) seconds"
                )
            }
            guard frame.time > previous else {
                throw LeapSerializationException(
                    "the time of frame \(index) of the video is \(frame.time), that of the frame before it \(previous): times must rise"
                )
            }
            previous = frame.time
        }
        let byteCount = frames.reduce(0) { $0 + $1.data.count }
        guard byteCount <= Self.maxByteCount else {
            throw LeapSerializationException(
                "the frames of the video have \(byteCount) bytes; at most \(Self.maxByteCount) are allowed: pass fewer or smaller frames"
            )
        }
        self.frames = frames
    }

    /// Creates a video from pictures at equal distances, the first one at 0 seconds.
    ///
    /// - Parameter framesPerSecond: more than 0, up to 1,000.
    /// - Throws: ``LeapSerializationException`` as ``init(_:)``, and for another number of frames per second.
    public init(pictures: [Data], framesPerSecond: Double = usualFramesPerSecond) throws {
        guard framesPerSecond > 0, framesPerSecond <= 1000 else {
            throw LeapSerializationException(
                "the video has \(framesPerSecond) frames per second; expected more than 0, and at most 1000")
        }
        try self.init(
            pictures.enumerated().map { Frame(time: Double($0.offset) / framesPerSecond, data: $0.element) })
    }

    /// A year, so that times have few digits.
    private static let maxTime = 31_622_400.0

    /// Checks that each frame has a supported format.
    ///
    /// - Throws: ``LeapSerializationException`` that names the frame and says what was found.
    func validate() throws {
        for (index, frame) in frames.enumerated() {
            let problem: String
            if ImageReference(frame.data) != nil {
                problem = "it is an address; pass the picture's bytes"
            } else if let format = ImageFileFormat(firstBytes: frame.data) {
                guard format.mediaType == nil else { continue }
                problem = format.refusal
            } else {
                problem = ImageFileFormat.unknown(frame.data)
            }
            throw LeapSerializationException("frame \(index) of the video: \(problem)")
        }
    }
}

/// Frames and times in one file, which prompts and the model service's wire have like the file of a picture.
///
/// The bytes `LeapVid1`, the number of frames, the time and the length of each frame, then the frames; numbers have
/// eight bytes, the lowest first.
extension VideoFrames {
    private static let start = Data("LeapVid1".utf8)

    /// The file.
    package var file: Data {
        var file = Self.start
        func add(_ number: UInt64) {
            for shift in 0..<8 { file.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        add(UInt64(frames.count))
        for frame in frames {
            add(frame.time.bitPattern)
            add(UInt64(frame.data.count))
        }
        for frame in frames { file.append(frame.data) }
        return file
    }

    /// Reads a file.
    ///
    /// - Throws: ``LeapSerializationException`` for bytes that are no such file.
    package init(file: Data) throws {
        let damaged = LeapSerializationException("the file of the video is damaged")
        var rest = file[...]
        func number() throws -> UInt64 {
            guard rest.count >= 8 else { throw damaged }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard rest.starts(with: Self.start) else { throw damaged }
        rest = rest.dropFirst(Self.start.count)
        let count = try number()
        guard count <= Self.maxCount else { throw damaged }
        var heads: [(time: Double, length: Int)] = []
        for _ in 0..<count {
            let time = Double(bitPattern: try number())
            guard let length = Int(exactly: try number()), length <= Self.maxByteCount else { throw damaged }
            heads.append((time, length))
        }
        var frames: [Frame] = []
        for head in heads {
            guard rest.count >= head.length else { throw damaged }
            frames.append(Frame(time: head.time, data: Data(rest.prefix(head.length))))
            rest = rest.dropFirst(head.length)
        }
        guard rest.isEmpty else { throw damaged }
        try self.init(frames)
    }
}
