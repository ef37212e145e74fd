#if Server
    import HummingbirdCore
    import LeapBase

    #if TLS
        import HummingbirdTLS
        import NIOSSL

        /// HTTPS: a certificate and its key.
        struct ServerSecurity {
            private let configuration: TLSConfiguration

            /// Reads the files; nil where none are named.
            ///
            /// - Throws: ``CommandError`` that names the file at fault.
            init?(certificate: String?, key: String?) throws {
                guard let certificate, let key else { return nil }
                func read<T>(_ option: String, _ path: String, _ kind: String, _ body: () throws -> T) throws -> T {
                    guard FileSystem.status(of: path) != nil else {
                        throw CommandError("\(option) is \(path), where there is no file")
                    }
                    do { return try body() } catch {
                        throw CommandError("\(option) is \(path), which cannot be read as \(kind) in PEM")
                    }
                }
                let chain = try read("--tls-certificate", certificate, "a certificate") {
                    try NIOSSLCertificate.fromPEMFile(certificate)
                }
                guard !chain.isEmpty else {
                    throw CommandError("--tls-certificate is \(certificate), which has no certificate in PEM")
                }
                let privateKey = try read("--tls-key", key, "a private key") {
                    try NIOSSLPrivateKey(file: key, format: .pem)
                }
                configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
                do {
                    // A key that is not the certificate's is found here.
                    _ = try NIOSSLContext(configuration: configuration)
                } catch {
                    throw CommandError(
                        "--tls-key is \(key), which does not match the certificate in \(certificate): give the certificate's own key"
                    )
                }
            }

            /// The same server over TLS.
            func secured(_ server: HTTPServerBuilder) throws -> HTTPServerBuilder {
                try .tls(server, tlsConfiguration: configuration)
            }
        }
    #else
        /// HTTPS, which this program was built without.
        struct ServerSecurity {
            /// - Throws: ``CommandError`` where a certificate or a key is named.
            init?(certificate: String?, key: String?) throws {
                guard certificate == nil, key == nil else {
                    throw CommandError(
                        "--tls-certificate and --tls-key need a leap-server with TLS: build it with “swift build -c release --traits TLS --product leap-server”"
                    )
                }
                return nil
            }

            func secured(_ server: HTTPServerBuilder) throws -> HTTPServerBuilder { server }
        }
    #endif
#endif
