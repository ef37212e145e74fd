import LeapTransfers
import Logging

extension LeapDownloaderConfig {
    /// Makes a configuration from the seven fields of version 0.10.9 of the LEAP SDK.
    ///
    /// - Parameters:
    ///   - saveDir: the folder that models are kept in.
    ///   - validateSha256: whether files are checked against the SHA-256 that their source gives.
    ///   - disableSslValidation: without effect, and logged: certificates are always checked. A server with a
    ///     certificate of your own needs that certificate among those that the system trusts.
    ///   - baseUrl: where Hugging Face addresses are looked up, ``endpoint``; nil or empty for the usual place.
    ///   - connectTimeoutMillis: milliseconds that a server may take to begin its answer, ``requestTimeout``; nil for
    ///     30 seconds.
    ///   - socketTimeoutMillis: milliseconds without more than a drip after which a connection is given up,
    ///     ``stallTimeout``; nil for 30 seconds.
    ///   - requestTimeoutMillis: milliseconds that one request may take, ``totalTimeout``; nil for as long as bytes
    ///     arrive.
    @_disfavoredOverload
    public init(
        saveDir: String = "leap_models", validateSha256: Bool = true, disableSslValidation: Bool = false,
        baseUrl: String? = nil, connectTimeoutMillis: Int64? = nil, socketTimeoutMillis: Int64? = nil,
        requestTimeoutMillis: Int64? = nil
    ) {
        func seconds(_ milliseconds: Int64?) -> Double? { milliseconds.map { Double($0) / 1000 } }
        self.init(
            saveDir: saveDir, validateSha256: validateSha256,
            // What is no address stays one that no server answers, so that nothing is fetched from another place than
            // was asked for.
            endpoint: baseUrl.flatMap { $0.isEmpty ? nil : URL(string: $0) ?? URL(fileURLWithPath: $0) },
            requestTimeout: seconds(connectTimeoutMillis) ?? 30, stallTimeout: seconds(socketTimeoutMillis) ?? 30,
            totalTimeout: seconds(requestTimeoutMillis))
        if disableSslValidation {
            ModelStore.logger.notice(
                "disableSslValidation has no effect: the certificates of servers are always checked")
        }
    }

    /// Makes a configuration from the same seven fields, each of which may be left out, as version 0.10.9 of the LEAP
    /// SDK recommends it.
    ///
    /// ```swift
    /// let config = LeapDownloaderConfig.with(saveDir: "my_models", baseUrl: "https://models.example.org")
    /// ```
    public static func with(
        saveDir: String = "leap_models", validateSha256: Bool = true, disableSslValidation: Bool = false,
        baseUrl: String? = nil, connectTimeoutMillis: Int64? = nil, socketTimeoutMillis: Int64? = nil,
        requestTimeoutMillis: Int64? = nil
    ) -> LeapDownloaderConfig {
        LeapDownloaderConfig(
            saveDir: saveDir, validateSha256: validateSha256, disableSslValidation: disableSslValidation,
            baseUrl: baseUrl, connectTimeoutMillis: connectTimeoutMillis, socketTimeoutMillis: socketTimeoutMillis,
            requestTimeoutMillis: requestTimeoutMillis)
    }
}
