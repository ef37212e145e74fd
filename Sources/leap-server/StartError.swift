#if Server
    import Foundation
    import LeapCore
    import LeapServing
    import NIOCore

    /// An error that keeps the server from starting: a sentence that names the file, the port or the option, and says
    /// what to do.
    struct StartError: LocalizedError, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }

        var errorDescription: String? { description }

        /// The sentence of an error of the layers below.
        init(_ error: any Error) {
            switch error {
            case let error as StartError: self = error
            case let error as APIError: self.init(error.message)
            case let error as LeapException: self.init(error.message)
            default: self.init(String(describing: error))
            }
        }

        /// Returns the error of an address at which the server cannot listen.
        static func listening(_ error: any Error, host: String, port: Int) -> StartError {
            let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            switch error {
            case let error as IOError where error.errnoCode == EADDRINUSE:
                return StartError(
                    "\(place) is in use by another program: end that one, or give another port with --port")
            case let error as IOError where error.errnoCode == EACCES:
                return StartError("\(place) is not permitted to this user: give a port from 1024 on with --port")
            case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
                return StartError(
                    "--host is \(host), which is no address of this machine: give one that is, or 127.0.0.1")
            case let error as IOError:
                return StartError("\(place) cannot be listened at: \(String(cString: strerror(error.errnoCode)))")
            case is SocketAddressError:
                return StartError(
                    "--host is \(host), which is no address and no name that is known here: give an address")
            default: return StartError(error)
            }
        }
    }
#endif
