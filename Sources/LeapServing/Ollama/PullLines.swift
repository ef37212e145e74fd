import LeapJSON
import LeapTransfers

/// The lines that a transfer's progress becomes, in Ollama's words.
struct PullLines {
    private var status: String?
    /// Bytes of each file that were told.
    private var told: [String: Int64] = [:]

    /// Returns the lines for what is new in a report.
    mutating func next(_ report: TransferProgress) -> [JSONValue] {
        switch report.phase {
        case .resolving: step("pulling manifest")
        case .downloading, .finished: files(report.files)
        case .verifying: files(report.files) + step("verifying sha256 digest")
        }
    }

    private mutating func step(_ new: String) -> [JSONValue] {
        guard status != new else { return [] }
        status = new
        return [.object(["status": .string(new)])]
    }

    /// A line for each file that has more bytes than before.
    private mutating func files(_ files: [TransferProgress.File]) -> [JSONValue] {
        files.compactMap { file in
            guard told[file.name] != file.bytes else { return nil }
            told[file.name] = file.bytes
            // The next step may be one that was told before, of another file.
            status = nil
            var line: JSONObject = ["status": .string("pulling \(file.name)")]
            if let digest = file.sha256 { line["digest"] = .string("sha256:\(digest)") }
            if let total = file.total { line["total"] = .integer(total) }
            line["completed"] = .integer(file.bytes)
            return .object(line)
        }
    }
}
