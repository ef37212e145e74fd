public import Foundation
import LeapAudio

extension ChatMessageContent {
    /// An image part from a JPEG file's bytes.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// An image part from an address.
    ///
    /// A `data:` address with Base64 is decoded at once. An `https:` address is kept as it is. A model on this device
    /// fetches the picture when it begins a reply, and the history has the picture's bytes from then on; a model
    /// elsewhere is sent the address. It comes from the public internet only, and has 20,000,000 bytes at most where
    /// `maxRemoteImageBytes` in the extras of loading does not say otherwise.
    public static func image(url: String) -> ChatMessageContent {
        .image(DataURL(url)?.data ?? Data(url.utf8))
    }

    /// An image part from an address; see ``image(url:)-(String)``.
    public static func image(url: URL) -> ChatMessageContent {
        image(url: url.absoluteString)
    }

    /// An audio part from a WAV file's bytes.
    ///
    /// They are looked at when a generation begins, which throws an error that says what is wrong with them;
    /// ``validate()`` says it at once.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .audio(data) }

    /// An audio part from bytes in a format known by its name, such as `wav` or `mp3`.
    ///
    /// Bytes of a format that is read here are kept as they are, whatever the name says. Of any other format the name
    /// is kept with the bytes, as a `data:` address, and is written to JSON with them; ``validate()`` and a generation
    /// throw an error that names it.
    public static func audio(data: Data, format: String) -> ChatMessageContent {
        .audio(AudioReference.data(data, format: format))
    }

    /// An audio part from samples.
    ///
    /// - Parameters:
    ///   - samples: values in -1...1; with several channels, interleaved.
    ///   - sampleRate: samples per second and channel.
    ///   - channelCount: models take one channel; of several they hear the mean.
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
