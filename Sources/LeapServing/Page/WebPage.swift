import Foundation
package import LeapBase

/// The page in a browser that `/` answers with.
///
/// Its files lie in this module's resource bundle, or in a folder `Page` where other files of the program are; see
/// ``EmbeddedFile``.
package struct WebPage: Sendable {
    /// Its files by the paths that they are served at.
    let files: [String: WebPageFile]

    /// The page that was shipped with the program, read once.
    package static let shipped = Result { () throws(EmbeddedFile.Missing) in
        let start = try EmbeddedFile.path("Page/\(startName)", bundle: "open-leap_LeapServing")
        return WebPage(folder: String(start.dropLast(startName.count + 1)))
    }

    private static let startName = "index.html"

    /// Reads the files of a folder; those that are no text are left out.
    init(folder: String) {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }
        let files = names.compactMap { name in
            (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)).map {
                WebPageFile(name: name, text: $0)
            }
        }
        self.files = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    }

    /// The files of a server's page, by path; none where it was not shipped.
    ///
    /// - Parameter hasTools: whether the page is to ask for the tools of MCP servers.
    static func files(hasTools: Bool) -> [String: WebPageFile] {
        var files = shippedFiles
        if hasTools { files["/"]?.text.replace(plainStart, with: startWithTools, maxReplacements: 1) }
        return files
    }

    private static let plainStart = #"<html lang="en">"#
    private static let startWithTools = #"<html lang="en" data-mcp="">"#

    /// The files of the page that was shipped, by path; none where it was not.
    static var shippedFiles: [String: WebPageFile] { (try? shipped.get())?.files ?? [:] }
}
