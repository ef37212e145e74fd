import Foundation
import LeapHTTP

/// The meaning of an answer's status for the transfer that got it.
struct StatusFailure: Error, Sendable {
    enum Remedy: Sendable, Equatable {
        /// Send it again, after this many seconds if the server said so.
        case retry(after: Double?)
        /// Too many requests at a time: as `retry`, with fewer of them.
        case slowDown(after: Double?)
        /// Nothing helps but a person.
        case none
    }

    let error: DownloadError
    let remedy: Remedy

    /// Throws unless the answer carries a file or a part of one: 204 and its like are successes, but not of a transfer.
    ///
    /// - Parameter asked: the address the user or the manifest gave, which messages name.
    static func check(_ answer: Fetcher.Answer, asked: URL, hasToken: Bool) throws {
        let status = answer.head.status
        guard ![200, 203, 206].contains(status) else { return }
        throw failure(answer, asked: asked, hasToken: hasToken)
    }

    static func failure(_ answer: Fetcher.Answer, asked: URL, hasToken: Bool) -> StatusFailure {
        let status = answer.head.status
        let after = RetryAfter.seconds(answer.head)
        func make(_ code: DownloadError.Code, _ text: String, _ remedy: Remedy) -> StatusFailure {
            StatusFailure(
                error: DownloadError(code, "\(asked.shown): \(text)", url: asked, status: status), remedy: remedy)
        }
        switch status {
        case 401:
            let advice =
                hasToken
                ? "the token in HF_TOKEN or the configuration is not accepted by the server"
                : "set HF_TOKEN, or give a token in the configuration"
            return make(
                .accessDenied,
                "the server requires credentials (401): check the name, because Hugging Face sends this status for repositories that do not exist too; if the name is right, \(advice).",
                .none)
        case 403:
            return make(
                .accessDenied,
                "access is refused (403): ask for access to the repository on its page (or accept its licence there), and set HF_TOKEN to a token of that account.",
                .none)
        case 404, 410:
            return make(
                .notFound, "there is no such file on the server (\(status)): check the model's name and quantization.",
                .none)
        case 429:
            return make(
                .unexpectedStatus, "the server accepts no more requests for now (429): try again later.",
                .slowDown(after: after))
        case 503:
            return make(.unexpectedStatus, "the server is overloaded (503): try again later.", .slowDown(after: after))
        case 408, 425, 500, 502, 504, 507, 509, 520...530:
            return make(.unexpectedStatus, "the server failed (\(status)): try again later.", .retry(after: after))
        default:
            return make(.unexpectedStatus, "the server answered with status \(status) instead of a file.", .none)
        }
    }

    /// Seconds to wait before a retry, if the failure allows one.
    ///
    /// - Throws: the error for the user if it does not, or if there were too many.
    static func delay(after error: any Error, failure: Int, policy: RetryPolicy) throws -> Double {
        var asked: Double?
        switch error {
        case let status as StatusFailure:
            switch status.remedy {
            case .none: throw status.error
            case .retry(let after), .slowDown(let after): asked = after
            }
            guard failure < policy.attempts else { throw status.error }
            if let asked, asked > policy.longestRetryAfter {
                let wait =
                    asked < OutsideNumber.longestWait ? "a wait of \(WaitText.of(asked))" : "a wait of a year or more"
                throw DownloadError(
                    status.error.code, status.error.message + " It asks for \(wait).", status: status.error.status,
                    cause: status.error)
            }
        case let error as DownloadError where error.code == .network || error.code == .stalled:
            guard failure < policy.attempts else { throw error }
        default:
            throw error
        }
        return max(asked ?? 0, policy.delay(failure: failure))
    }
}
