import Foundation
import LeapBase

extension Error {
    /// The sentence that a user is shown: that of this package's errors, else the system's.
    package var sentence: String { (self as? any CodedError)?.description ?? localizedDescription }
}
