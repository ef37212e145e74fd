public import Foundation
import LeapBase
import LeapJSON
import LeapOpenAIFormat
import LeapVision

extension VideoFrames {
    /// Creates a video from a part with `frames`: objects with a `time` in seconds and an `image_url`.
    ///
    /// - Throws: ``LeapSerializationException`` that names the invalid member.
    init(json object: JSONObject, place: String) throws {
        guard let list = object[OpenAI.Key.frames]?.array else {
            throw LeapSerializationException(
                "frames of \(place) is \(object[OpenAI.Key.frames]?.kind ?? "missing"); expected an array of frames with 'time' and 'image_url'"
            )
        }
        guard list.count <= Self.maxCount else {
            throw LeapSerializationException(
                "\(place) has \(list.count) frames; at most \(Self.maxCount) are allowed: send fewer frames a second")
        }
        let frames = try list.enumerated().map { index, value in
            let place = "frames[\(index)] of \(place)"
            guard let time = value[OpenAI.Key.time]?.double else {
                throw LeapSerializationException(
                    "time of \(place) is \(value[OpenAI.Key.time]?.kind ?? "missing"); expected a number of seconds")
            }
            let image = value[OpenAI.Key.imageURL]
            guard let address = image?[OpenAI.Key.url]?.string ?? image?.string, let data = DataURL(address)?.data
            else {
                throw LeapSerializationException(
                    "image_url.url of \(place) is missing or no data: URL with Base64; expected the bytes of a frame")
            }
            return Frame(time: time, data: data)
        }
        self = try Self.naming(place) { try VideoFrames(frames) }
    }

    /// Creates a video from the `video_url` of a part: an object with `url`, and `fps` if the frames are listed.
    ///
    /// A `data:` URL holds a GIF animation, or the Base64 of JPEG files with commas between them (`video/jpeg`).
    /// - Throws: ``LeapSerializationException`` for another address or format.
    init(address value: JSONValue?, place: String) throws {
        guard let address = value?[OpenAI.Key.url]?.string ?? value?.string else {
            throw LeapSerializationException("video_url.url of \(place) is missing; expected a string")
        }
        var rate = Self.usualFramesPerSecond
        if let given = value?[OpenAI.Key.framesPerSecond], given != .null {
            guard let number = given.double else {
                throw LeapSerializationException("video_url.fps of \(place) is \(given.kind); expected a number")
            }
            rate = number
        }
        let place = "video_url.url of \(place)"
        guard address.utf8.starts(with: "data:".utf8), let comma = address.firstIndex(of: ",") else {
            throw LeapSerializationException(
                "\(place) is '\(ShownText.of(address, limit: 40))'; videos at addresses are not fetched: send their frames as a part of type 'video'"
            )
        }
        let head = address[..<comma].lowercased()
        self = try Self.naming(place) {
            if head == "data:video/jpeg;base64" { return try Self.listed(address[comma...].dropFirst(), rate) }
            guard let data = DataURL(address)?.data else { throw LeapSerializationException("it is no Base64") }
            return try VideoFrames(file: data, named: "the file", framesPerSecond: rate)
        }
    }

    /// The video of pictures in Base64 with commas between them.
    private static func listed(_ text: Substring, _ rate: Double) throws -> VideoFrames {
        // One frame too many is enough for the error.
        let texts = text.utf8.split(
            separator: UInt8(ascii: ","), maxSplits: maxCount, omittingEmptySubsequences: false)
        guard texts.count <= maxCount else {
            throw LeapSerializationException(
                "the video has more than \(maxCount) frames, which are not allowed: send fewer frames a second")
        }
        let pictures = try texts.enumerated().map { index, text in
            guard let data = Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters), !data.isEmpty else {
                throw LeapSerializationException("frame \(index) of the video is no Base64")
            }
            return data
        }
        return try VideoFrames(pictures: pictures, framesPerSecond: rate)
    }

    private static func naming(_ place: String, _ body: () throws -> VideoFrames) throws -> VideoFrames {
        do {
            return try body()
        } catch let error as LeapSerializationException {
            throw LeapSerializationException(message: "\(place): \(error.message)", cause: error.cause)
        }
    }
}

extension VideoFrames {
    /// Creates a video from a GIF animation, which is looked at a number of times each second.
    ///
    /// - Parameter framesPerSecond: more than 0, up to 1,000.
    /// - Throws: ``LeapSerializationException`` for a file that cannot be read, or has too many frames or bytes.
    public init(gif data: Data, framesPerSecond: Double = usualFramesPerSecond) throws {
        guard framesPerSecond > 0, framesPerSecond <= 1000 else {
            throw LeapSerializationException(
                "the video has \(framesPerSecond) frames per second; expected more than 0, and at most 1000")
        }
        var frames: [Frame] = []
        var (end, byteCount) = (0.0, 0)
        do {
            try RGBImage.readAnimation(gif: [UInt8](data)) { picture, seconds in
                end += seconds
                var file: Data?
                // One frame too many is enough for the error.
                while frames.count <= Self.maxCount, byteCount <= Self.maxByteCount {
                    let time = Double(frames.count) / framesPerSecond
                    guard time < end else { break }
                    let bytes = file ?? Data(picture.pngFile)
                    file = bytes
                    byteCount += bytes.count
                    frames.append(Frame(time: time, data: bytes))
                }
                return frames.count <= Self.maxCount && byteCount <= Self.maxByteCount
            }
        } catch let error as ImageFileError {
            throw LeapSerializationException(message: error.message, cause: error)
        }
        try self.init(frames)
    }

    /// Creates a video from a file that is read without a video codec: a GIF animation.
    ///
    /// - Parameter name: the file in the error.
    /// - Throws: ``LeapSerializationException`` that names the format found and says what to do.
    package init(file data: Data, named name: String, framesPerSecond: Double) throws {
        let format = ImageFileFormat(firstBytes: data)
        guard format == .gif else {
            throw LeapSerializationException(
                "\(name) is \(format?.rawValue ?? "of an unknown format"), and video files are read as GIF animations only: extract frames first, with ffmpeg for example, and pass them with their times"
            )
        }
        try self.init(gif: data, framesPerSecond: framesPerSecond)
    }
}
