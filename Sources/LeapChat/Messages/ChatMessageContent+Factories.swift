public import Foundation
import LeapAudio

extension ChatMessageContent {
    /// Returns an image part from the bytes of a JPEG file.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// Returns an image part from a URL.
    ///
    /// A `data:` URL with Base64 is decoded at once. An `https:` URL is kept as it is. A model on this device fetches
    /// the image when a reply starts, and the history then holds its bytes. A remote model receives the URL.
    ///
    /// The image must come from the public internet. Its size limit is 20,000,000 bytes, unless `maxRemoteImageBytes`
    /// in the extras of loading sets another one.
    public static func image(url: String) -> ChatMessageContent {
        .image(DataURL(url)?.data ?? Data(url.utf8))
    }

    /// Returns an image part from a URL; see ``image(url:)-(String)``.
    public static func image(url: URL) -> ChatMessageContent {
        image(url: url.absoluteString)
    }

    /// Returns an audio part from the bytes of a WAV file.
    ///
    /// The bytes are checked when a generation starts, which throws an error that says what is wrong with them. To
    /// check them at once, call ``validate()``.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .audio(data) }

    /// Returns an audio part from bytes in a named format, such as `wav` or `mp3`.
    ///
    /// If the bytes have a supported format, they are kept as they are, and the name is ignored. For any other format,
    /// the name is kept with the bytes, as a `data:` URL, and is written to JSON with them. ``validate()`` and a
    /// generation then throw an error that names the format.
    public static func audio(data: Data, format: String) -> ChatMessageContent {
        .audio(AudioReference.data(data, format: format))
    }

    /// Returns an audio part from samples.
    ///
    /// - Parameters:
    ///   - samples: values in -1...1; interleaved if there are several channels.
    ///   - sampleRate: samples per second and channel.
    ///   - channelCount: the number of channels; a model receives the mean of several channels.
    public static func fromFloatSamples(
        _ samples: [Float], sampleRate: Int, channelCount: Int = 1
    ) -> ChatMessageContent {
        .audio(WAVFile.encode(samples, sampleRate: sampleRate, channelCount: channelCount))
    }
}

/// Audio in a format that is not read, as a `data:` address: no sound file starts like one, so the two can share the
/// case.
struct AudioReference {
    let format: String
    let data: Data

    private static let start = Data("data:audio/".utf8)

    init?(_ data: Data) {
        guard data.starts(with: Self.start), let url = DataURL(String(decoding: data, as: UTF8.self)) else {
            return nil
        }
        format = String(url.mediaType.dropFirst("audio/".count))
        self.data = url.data
    }

    /// The part's bytes: those of formats that are read as they are, anything else as an address.
    static func data(_ data: Data, format: String) -> Data {
        guard AudioFormatName(name: format) != .wav, AudioFormatName(data) == nil else { return data }
        // Of a name, what has no meaning in an address.
        let safe = format.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-+.".contains($0)) }
        return Data(DataURL.string(mediaType: "audio/\(safe.isEmpty ? "unknown" : safe)", data: data).utf8)
    }
}

/// The content of a `data:` address with Base64 (RFC 2397).
struct DataURL {
    let mediaType: String
    let data: Data

    init?(_ url: String) {
        guard url.utf8.starts(with: "data:".utf8), let comma = url.firstIndex(of: ",") else { return nil }
        let header = url[..<comma].dropFirst("data:".count)
        guard header.lowercased().hasSuffix(";base64"),
            let data = Data(base64Encoded: String(url[url.index(after: comma)...]), options: .ignoreUnknownCharacters)
        else { return nil }
        mediaType = String(header.prefix { $0 != ";" })
        self.data = data
    }

    /// The address that holds some bytes.
    static func string(mediaType: String, data: Data) -> String {
        "data:\(mediaType);base64,\(data.base64EncodedString())"
    }
}
