import Foundation

extension URL {
    /// The address as messages show it: without credentials, query and fragment.
    package var shown: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "(address)" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "(address)"
    }
}
