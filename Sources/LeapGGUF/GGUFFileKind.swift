import LeapBase

/// Says what a file that is not a GGUF seems to be, so that the error can say what to do.
enum GGUFFileKind {
    /// A phrase that ends the sentence "the file does not begin with GGUF: …".
    static func describe(prefix bytes: UnsafeRawBufferPointer) -> String {
        let start = Array(bytes.prefix(64))
        func begins(_ text: String) -> Bool { start.starts(with: text.utf8) }
        func begins(at offset: Int, _ text: String) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }

        if begins("version https://git-lfs") {
            return "it is a Git LFS pointer. Run `git lfs pull`, or download the file itself."
        }
        let lowered = start.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if lowered.starts(with: "<!doctype".utf8) || lowered.starts(with: "<html".utf8) {
            return "it is a web page. The download was probably redirected: use the file's direct address."
        }
        if begins("tjgg") || begins("lmgg") || begins("algg") || begins("fmgg") {
            return "it is a model in the ggml format from before GGUF. Convert it, or download a GGUF of the model."
        }
        if begins("PK\u{3}\u{4}") {
            return "it is a ZIP archive (perhaps a PyTorch checkpoint). Give a .gguf file."
        }
        if begins(at: 4, "ET12") {
            return "it is an ExecuTorch program, which this engine cannot run. Download a GGUF of the model."
        }
        if start.count > 9, start[8] == UInt8(ascii: "{"), start[6] == 0, start[7] == 0 {
            return "it looks like safetensors. Convert it to GGUF, or download a GGUF of the model."
        }
        if begins("FUGG") {
            return "it begins with GGUF backwards, as if written by a big-endian machine. Convert it to little-endian."
        }
        let isText = start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 13 }
        if isText {
            let shown = ShownText.of(String(decoding: start.prefix(24), as: UTF8.self))
            return "it is a text file that begins with \"\(shown)\". Give a .gguf file."
        }
        if start.allSatisfy({ $0 == 0 }) {
            return "it begins with zeros, like a download that did not finish. Download it again."
        }
        let shown = start.prefix(4).map { hexadecimal($0) }.joined(separator: " ")
        return "it begins with the bytes \(shown). Give a .gguf file."
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
