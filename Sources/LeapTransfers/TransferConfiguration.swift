package import Foundation
package import LeapHTTP

/// The settings that every transfer of a store has in common.
package struct TransferConfiguration: Sendable, Hashable {
    /// The folder of the models: an absolute path.
    package var folder: String
    /// The server on which Hugging Face addresses are looked up.
    package var endpoint: URL
    /// Sent to the endpoint's host and to no other.
    package var token: String?
    /// Ranges of one file that are fetched at a time.
    package var connections = 4
    /// The longest range asked for in one request, in bytes.
    package var longestRange: Int64 = 32 << 20
    /// The shortest range asked for in one request, in bytes.
    package var shortestRange: Int64 = 1 << 20
    package var retry = RetryPolicy()
    /// Seconds a server may take to begin its answer.
    package var responseTimeout: Double = 30
    /// Seconds over which an answer must bring ``minimumBytes``.
    package var stallTimeout: Double = 30
    /// Bytes that each ``stallTimeout`` must bring.
    package var minimumBytes: Int64 = 4096
    /// Seconds that one answer may take from its beginning to its end.
    package var totalTimeout = Double.infinity
    /// The addresses that may be connected to.
    package var addresses = AddressRule.any
    /// The networks that may be used, where the system enforces it.
    package var network = NetworkRule.any
    package var redirectLimit = 10
    package var validatesSHA256 = true
    /// Bytes of the disk that stay free.
    package var diskMargin: Int64 = 64 << 20
    package var userAgent = "open-leap"

    package init(folder: String, endpoint: URL, token: String? = nil) {
        self.folder = folder
        self.endpoint = endpoint
        self.token = token
    }
}

/// The conditions under which a failed request is sent again: how often, and after which time.
package struct RetryPolicy: Sendable, Hashable {
    /// Failures in a row of a connection, with next to nothing arriving on any connection between them, before a
    /// transfer gives up.
    package var attempts = 6
    /// Seconds before the first retry; each further one waits up to twice as long.
    package var baseDelay: Double = 0.5
    /// The longest wait, in seconds.
    package var longestDelay: Double = 30
    /// The longest `Retry-After` that is waited for, in seconds; a longer one ends the transfer.
    package var longestRetryAfter: Double = 300

    package init() {}

    /// The policy before the first byte: somebody waits for an answer, and nothing is lost by giving up.
    var beginning: RetryPolicy {
        var policy = self
        policy.attempts = min(attempts, 4)
        return policy
    }

    /// Seconds to wait after the `failure`th failure in a row: half of it fixed, half of it random, so that many
    /// clients do not come back at once.
    func delay(failure: Int) -> Double {
        let ceiling = min(longestDelay, baseDelay * pow(2, Double(min(failure, 30) - 1)))
        return ceiling * Double.random(in: 0.5...1)
    }
}
