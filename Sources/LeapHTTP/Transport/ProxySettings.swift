import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
// Apple has these settings on macOS alone.
#if canImport(Darwin) && canImport(AppKit) && !canImport(UIKit)
    import CFNetwork
#endif

/// Proxies from the environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case.
enum ProxySettings {
    static func apply(to configuration: URLSessionConfiguration) {
        // On Linux libcurl, under FoundationNetworking, reads the same variables itself.
        #if canImport(Darwin) && canImport(AppKit) && !canImport(UIKit)
            let environment = ProcessInfo.processInfo.environment
            var settings: [AnyHashable: Any] = configuration.connectionProxyDictionary ?? [:]
            func use(_ names: [String], enable: CFString, host: CFString, port: CFString) {
                guard let text = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }),
                    let url = URL(string: text.contains("://") ? text : "http://" + text), let name = url.host
                else { return }
                settings[enable] = 1
                settings[host] = name
                settings[port] = url.port ?? 3128
            }
            use(
                ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], enable: kCFNetworkProxiesHTTPSEnable,
                host: kCFNetworkProxiesHTTPSProxy, port: kCFNetworkProxiesHTTPSPort)
            use(
                ["http_proxy"], enable: kCFNetworkProxiesHTTPEnable, host: kCFNetworkProxiesHTTPProxy,
                port: kCFNetworkProxiesHTTPPort)
            if let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"], !exceptions.isEmpty {
                settings[kCFNetworkProxiesExceptionsList] = exceptions.split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
            if !settings.isEmpty { configuration.connectionProxyDictionary = settings }
        #endif
    }
}
