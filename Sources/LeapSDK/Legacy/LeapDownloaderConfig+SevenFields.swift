import LeapTransfers
import Logging

extension LeapDownloaderConfig {
    /// Creates a configuration from the seven fields of version 0.10.9 of the LEAP SDK.
    ///
    /// - Parameters:
    ///   - saveDir: the folder that stores the models.
    ///   - validateSha256: whether files are checked against the SHA-256 of their source.
    ///   - disableSslValidation: has no effect, and the log says so: certificates are always checked. If your server
    ///     has a private certificate, add that certificate to those that the system trusts.
    ///   - baseUrl: the server for Hugging Face URLs, ``endpoint``; nil or empty for the default.
    ///   - connectTimeoutMillis: milliseconds that a server has to start its response, ``requestTimeout``; nil for 30
    ///     seconds.
    ///   - socketTimeoutMillis: milliseconds with almost no data after which a connection is closed, ``stallTimeout``;
    ///     nil for 30 seconds.
    ///   - requestTimeoutMillis: the maximum milliseconds for one request, ``totalTimeout``; nil for as long as data
    ///     arrives.
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

    /// Creates a configuration from the same seven fields, each of which you can omit.
    ///
    /// Version 0.10.9 of the LEAP SDK recommends this form.
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
