import Foundation
import LeapBase

/// A file of keys: a line for each, `NAME KEY [MODELS] [REQUESTS/MIN] [TOKENS/DAY]`.
///
/// Fields are separated by spaces or tabs. `MODELS` is `*` for all, or names separated by commas, each of which may end
/// with a star. A limit is a whole number from 1 on, or `-` for none. What is left out is `*` or `-`. A field that
/// begins with `#` and all behind it is a comment.
enum KeyFile {
    /// The maximum number of bytes of a file.
    static let maxBytes = 1 << 20
    /// The maximum number of keys: each request is compared with all of them.
    static let maxKeys = 1000
    /// The maximum number of characters of a name, and of bytes of a key.
    static let (maxName, maxKey) = (64, 1024)
    /// The maximum number of names of models in a line.
    static let maxModels = 256

    /// Reads a file.
    ///
    /// - Throws: ``KeyFileError`` that names the line at fault.
    static func read(_ path: String) throws(KeyFileError) -> [AccessKey] {
        // Opening a pipe waits for its writer, and what was read from it is gone.
        if let status = FileSystem.status(of: path), !status.isRegular {
            throw KeyFileError(
                .unreadable, path, "this is not a regular file, which can be read again: give another path")
        }
        let bytes: [UInt8]?
        do {
            bytes = try FileSystem.read(path, limit: maxBytes)
        } catch {
            guard error.number != EFBIG else {
                throw KeyFileError(.tooLarge, path, "the file of keys has more than \(maxBytes) bytes")
            }
            throw KeyFileError(
                .unreadable, path, "the file of keys cannot be read (\(error.reason)): give another, or let it be read")
        }
        guard let bytes else {
            throw KeyFileError(.unreadable, path, "there is no file of keys: create it, or give another path")
        }
        return try keys(in: bytes, path)
    }

    /// Reads the contents of a file.
    ///
    /// - Parameter path: the file's, for errors.
    static func keys(in bytes: [UInt8], _ path: String) throws(KeyFileError) -> [AccessKey] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw KeyFileError(.unreadable, path, "the file of keys is no text in UTF-8")
        }
        var keys: [AccessKey] = []
        var lineOfName: [String: Int] = [:]
        var lineOfKey: [String: Int] = [:]
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() {
            let line = index + 1
            let fields = fields(of: bytes)
            guard !fields.isEmpty else { continue }
            guard keys.count < maxKeys else {
                throw KeyFileError(.tooLarge, path, line: line, "the file has more than \(maxKeys) keys")
            }
            let key = try key(of: fields, path, line)
            if let other = lineOfName.updateValue(line, forKey: key.name) {
                throw KeyFileError(
                    .name, path, line: line, "the name '\(key.name)' is that of line \(other): give each key its own")
            }
            // The key itself is a secret, also in an error.
            if let other = lineOfKey.updateValue(line, forKey: key.key) {
                throw KeyFileError(
                    .key, path, line: line, "the key of '\(key.name)' is that of line \(other): give each its own")
            }
            keys.append(key)
        }
        guard !keys.isEmpty else {
            throw KeyFileError(
                .empty, path, "the file has no key: a line is NAME KEY [MODELS] [REQUESTS/MIN] [TOKENS/DAY]")
        }
        return keys
    }

    /// The fields of a line, without its comment.
    private static func fields(of line: Substring.UTF8View) -> [String] {
        let fields = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.map { String(Substring($0)) }
        return Array(fields.prefix { !$0.hasPrefix("#") })
    }

    /// The key of a line's fields.
    private static func key(of fields: [String], _ path: String, _ line: Int) throws(KeyFileError) -> AccessKey {
        guard (2...5).contains(fields.count) else {
            throw KeyFileError(
                .fields, path, line: line,
                "the line has \(fields.count) field\(fields.count == 1 ? "" : "s"); expected NAME KEY [MODELS] [REQUESTS/MIN] [TOKENS/DAY]"
            )
        }
        let (name, secret) = (fields[0], fields[1])
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
        }
        guard isPlain, name.utf8.count <= maxName else {
            throw KeyFileError(
                .name, path, line: line,
                "the name is '\(ShownText.of(name, limit: 80))'; expected up to \(maxName) letters, digits, '.', '-' and '_'"
            )
        }
        guard secret.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }), secret.utf8.count <= maxKey
        else {
            throw KeyFileError(
                .key, path, line: line,
                "the key of '\(name)' has a control character or more than \(maxKey) bytes, and could not be sent")
        }
        return AccessKey(
            name: name, key: secret, models: try models(fields.count > 2 ? fields[2] : "*", path, line),
            requestsPerMinute: try limit(fields.count > 3 ? fields[3] : "-", "REQUESTS/MIN", path, line),
            tokensPerDay: try limit(fields.count > 4 ? fields[4] : "-", "TOKENS/DAY", path, line))
    }

    private static func models(_ text: String, _ path: String, _ line: Int) throws(KeyFileError) -> [NamePattern]? {
        guard text != "*" else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let patterns = names.compactMap { NamePattern(String($0)) }
        // Whoever writes a dash might mean all of them, or none.
        guard patterns.count == names.count, names.count <= maxModels, text != "-" else {
            throw KeyFileError(
                .models, path, line: line,
                "MODELS is '\(ShownText.of(text, limit: 80))'; expected * for all, or up to \(maxModels) names with commas between them, each with a star at its end at most"
            )
        }
        return patterns
    }

    private static func limit(
        _ text: String, _ field: String, _ path: String, _ line: Int
    ) throws(KeyFileError) -> Int? {
        guard text != "-" else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let limit = Int(text), limit > 0 else {
            throw KeyFileError(
                .limit, path, line: line,
                "\(field) is '\(ShownText.of(text, limit: 80))'; expected a whole number, 1 or more, or - for no limit")
        }
        return limit
    }
}
