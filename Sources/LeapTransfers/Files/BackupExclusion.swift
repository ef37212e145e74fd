import Foundation
import Logging

/// The mark that keeps a folder out of backups.
///
/// Models can be fetched again, and App Review refuses apps that fill people's backups with such data. The mark is on
/// each model's folder and not on the store's, which an app may share with files of its own.
package enum BackupExclusion {
    /// Marks a folder on Apple's systems; other systems have no such mark.
    package static func mark(_ folder: String) throws {
        #if canImport(Darwin)
            var url = URL(fileURLWithPath: folder, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try url.setResourceValues(values)
        #endif
    }

    /// Marks a folder; a failure is logged, because the model can be used all the same.
    ///
    /// - Parameters:
    ///   - folder: the folder.
    ///   - mark: sets the mark.
    static func apply(to folder: String, _ mark: @Sendable (String) throws -> Void) {
        do {
            try mark(folder)
        } catch {
            ModelStore.logger.notice(
                "\(folder): cannot be excluded from backups (\((error as NSError).localizedDescription))")
        }
    }
}
