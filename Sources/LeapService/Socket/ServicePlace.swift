import Foundation
package import LeapBase

/// The path of the service's socket, with the check that it may be used.
package struct ServicePlace: Sendable, Hashable {
    /// The variable that says where the socket is; empty for no service at all.
    package static let variable = "LEAP_SERVICE_SOCKET"

    /// The socket's path.
    package var path: String

    /// The folder the socket is in.
    package var folder: String { FileSystem.parent(of: path) ?? "/" }
    /// Locked by the process that listens.
    package var lockPath: String { path + ".lock" }
    /// The path of the service's log.
    package var logPath: String { path + ".log" }

    package init(path: String) { self.path = path }

    /// The place for this user; nil where there is no service: on systems that have none, and where the variable is
    /// empty.
    package static func standard(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> ServicePlace?
    {
        #if canImport(Darwin) && canImport(UIKit)
            return nil
        #else
            if let path = environment[variable] { return path.hasPrefix("/") ? ServicePlace(path: path) : nil }
            return ServicePlace(path: runtimeFolder(environment) + "/service.sock")
        #endif
    }

    private static func runtimeFolder(_ environment: [String: String]) -> String {
        #if canImport(Darwin)
            return NSTemporaryDirectory().trimmingSuffix("/") + "/open-leap"
        #else
            if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return folder + "/open-leap" }
            return "/tmp/open-leap-\(geteuid())"
        #endif
    }

    // MARK: Checks

    /// Checks that the socket is this user's own and that nobody else could have put it there.
    ///
    /// - Throws: ``FileSystemError`` with `ENOENT` where there is none.
    package func check() throws(FileSystemError) {
        try Self.checkFolder(folder)
        var info = stat()
        guard lstat(path, &info) == 0 else { throw FileSystemError("looking for the socket", path) }
        guard info.st_mode & S_IFMT == S_IFSOCK else { throw FileSystemError(path, refused: "it is not a socket") }
        guard info.st_uid == geteuid() else {
            throw FileSystemError(path, refused: "it belongs to the user \(info.st_uid), and this is \(geteuid())")
        }
    }

    /// Makes the folder of the socket, for this user alone.
    package func makeFolder() throws(FileSystemError) {
        do {
            try FileSystem.makeFolder(folder, permissions: 0o700)
        } catch {
            throw FileSystemError("making the folder", folder, number: error.number)
        }
        try Self.checkFolder(folder)
    }

    /// A folder that others may write to lets them put their own socket in place of this user's.
    private static func checkFolder(_ folder: String) throws(FileSystemError) {
        var info = stat()
        guard lstat(folder, &info) == 0 else { throw FileSystemError("looking for the folder", folder) }
        guard info.st_mode & S_IFMT == S_IFDIR else { throw FileSystemError(folder, refused: "it is not a folder") }
        guard info.st_uid == geteuid() else {
            throw FileSystemError(folder, refused: "it belongs to the user \(info.st_uid), and this is \(geteuid())")
        }
        guard info.st_mode & 0o022 == 0 else {
            throw FileSystemError(folder, refused: "other users may write to it: make it private with “chmod 700”")
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
