import Foundation
import LeapBase
import LeapChat
import LeapSDK
import LeapVision

/// A video that an option or a command names: a folder with a picture for each frame, or a file.
enum VideoArgument {
    /// Bytes of a GIF animation that are read.
    private static let maxBytes = 64 << 20

    /// Reads a folder's pictures in the order of their names, a GIF animation, or a video file by the program ffmpeg.
    ///
    /// - Parameters:
    ///   - framesPerSecond: the distance of a folder's pictures, and how often a file is looked at.
    ///   - name: what names the video: an option or a command.
    /// - Throws: `CommandError` that names the folder or the file.
    static func read(
        _ path: String, framesPerSecond: Double = VideoFrames.usualFramesPerSecond, name: String = "--video"
    ) throws -> ChatMessageContent {
        do {
            return .video(try frames(path, framesPerSecond))
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(name) \(ShownText.of(path, limit: 200)): \(error.sentence)")
        }
    }

    private static func frames(_ path: String, _ rate: Double) throws -> VideoFrames {
        if FileSystem.isFolder(path) {
            return try VideoFrames(pictures: try pictures(in: path), framesPerSecond: rate)
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw LeapSerializationException("there is no folder or file that can be read")
        }
        let start = try handle.read(upToCount: 64) ?? Data()
        guard ImageFileFormat(firstBytes: start) == .gif else {
            return try FrameExtractor.frames(of: path, framesPerSecond: rate)
        }
        try handle.seek(toOffset: 0)
        let data = try handle.read(upToCount: maxBytes + 1) ?? Data()
        guard data.count <= maxBytes else {
            throw LeapSerializationException("the file has more than \(maxBytes) bytes: make it smaller first")
        }
        return try VideoFrames(gif: data, framesPerSecond: rate)
    }

    /// The pictures of a folder, in the order of their names; numbers in names count as numbers.
    static func pictures(in folder: String) throws -> [Data] {
        let names = FileSystem.names(in: folder).filter {
            !$0.hasPrefix(".") && !FileSystem.isFolder("\(folder)/\($0)")
        }
        .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        guard !names.isEmpty else {
            throw LeapSerializationException("the folder has no files; it needs a picture for each frame")
        }
        guard names.count <= VideoFrames.maxCount else {
            throw LeapSerializationException(
                "the folder has \(names.count) files; at most \(VideoFrames.maxCount) frames are allowed")
        }
        var room = VideoFrames.maxByteCount
        return try names.map { file in
            let shown = ShownText.of(file, limit: 80)
            guard let handle = FileHandle(forReadingAtPath: "\(folder)/\(file)") else {
                throw LeapSerializationException("the file \(shown) cannot be read")
            }
            let data = try handle.read(upToCount: room + 1) ?? Data()
            room -= data.count
            guard room >= 0 else {
                throw LeapSerializationException(
                    "the frames have more than \(VideoFrames.maxByteCount) bytes: make them fewer or smaller")
            }
            guard let format = ImageFileFormat(firstBytes: data) else {
                throw LeapSerializationException("\(shown): \(ImageFileFormat.unknown(data))")
            }
            guard format.mediaType != nil else {
                throw LeapSerializationException("\(shown): \(format.refusal)")
            }
            return data
        }
    }
}
