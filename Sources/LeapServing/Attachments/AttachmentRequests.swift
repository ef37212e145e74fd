import Foundation
import LeapAudio
import LeapChat
import LeapJSON
import LeapOpenAIFormat
import LeapVision

/// `POST /v1/attachments/check`: reads a picture or a sound with the decoders of replies, so that a client knows before
/// it sends a message.
struct AttachmentRequests: Sendable {
    static let path = "/v1/attachments/check"

    /// The codes of files that cannot be read.
    enum Refusal: String, CaseIterable {
        /// The format, or this variant of it, is not read here; another may be.
        case format = "unsupported_format"
        case size = "file_too_large"
        case damage = "damaged_file"
    }

    let pool: ModelPool

    /// Tells the content of a part of a message: `part`, in the shape that messages have it, and `model`, which has to
    /// take it.
    func check(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        guard let object = try fields.object("part") else {
            throw APIError.invalid(
                "'part' is missing; expected a part of a message with an image, audio or a video", "part")
        }
        let part = try await LongWork.run(on: request.body.byteCount) {
            try RequestFields.read("part") { try ChatMessageContent(json: .object(object), place: $0) }
        }
        if let model = try fields.string("model") {
            let lease = try await request.lease(model, from: pool)
            try lease.check([ChatMessage(role: .user, content: [part])], at: ["part"])
        }
        // A compressed file is more work than its bytes tell.
        let document = try await LongWork.run(on: .max) { try Self.document(of: part) }
        return ServerReply.json(document).warning(of: fields.ignored)
    }

    /// Returns the kind and the size of a file.
    ///
    /// - Throws: ``APIError`` with the code of a ``Refusal``.
    private static func document(of part: ChatMessageContent) throws -> JSONValue {
        do {
            switch part {
            case .text: throw APIError.invalid("'part' is text; expected an image, audio or a video", "part")
            case .image where part.isAddress:
                throw APIError.invalid(
                    "'part' is an address, which is not fetched here; expected a data: address", "part")
            case .image(let data):
                let image = try RGBImage(file: [UInt8](data))
                return .object([
                    "object": "attachment", "kind": "image", "width": .integer(Int64(image.width)),
                    "height": .integer(Int64(image.height)),
                ])
            case .video(let video):
                let image = try RGBImage(file: [UInt8](video.frames[0].data))
                return .object([
                    "object": "attachment", "kind": "video", "width": .integer(Int64(image.width)),
                    "height": .integer(Int64(image.height)), "frames": .integer(Int64(video.frames.count)),
                    "seconds": .double(video.frames[video.frames.count - 1].time),
                ])
            case .audio(let data):
                let sound = try AudioFile.read(data)
                guard sound.sampleCount > 0, sound.sampleRate > 0 else {
                    throw AudioFileError(.empty, "the audio has no samples: remove it, or record it again")
                }
                return .object([
                    "object": "attachment", "kind": "audio",
                    "seconds": .double(Double(sound.sampleCount) / Double(sound.sampleRate)),
                    "sample_rate": .integer(Int64(sound.sampleRate)),
                ])
            }
        } catch let error as ImageFileError {
            throw APIError.invalid(error.message, "part", code: Refusal(error.code).rawValue)
        } catch let error as AudioFileError {
            throw APIError.invalid(error.message, "part", code: Refusal(error.code).rawValue)
        }
    }
}

extension AttachmentRequests.Refusal {
    init(_ code: ImageFileError.Code) {
        switch code {
        case .unknownFormat, .unsupported: self = .format
        case .tooLarge: self = .size
        case .damaged, .truncated: self = .damage
        }
    }

    init(_ code: AudioFileError.Code) {
        switch code {
        case .unknownFormat, .unsupported, .needsLibrary: self = .format
        case .tooLong: self = .size
        case .damaged, .truncated, .empty: self = .damage
        }
    }
}
