import Foundation
import LeapBase

/// Names of files that a path can go on with.
enum FileCompletion {
    static func of(_ path: String) -> LineCompletion {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let start = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let place = folder.isEmpty ? "." : (folder as NSString).expandingTildeInPath
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [])
            .filter { $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix(".")) }
            // A name that would move the cursor is not offered.
            .filter { PrintableOutput.of($0) == $0 && !$0.contains("\n") }
            .sorted()
        let candidates = names.map { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: place + "/" + name, isDirectory: &isFolder)
            return LineCompletion.Candidate(
                text: folder + name + (isFolder.boolValue ? "/" : ""), isWhole: !isFolder.boolValue)
        }
        return LineCompletion(replaced: path.count, candidates: candidates)
    }
}
