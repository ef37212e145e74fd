#if Server
    import Foundation
    import LeapBase
    import NIOCore

    extension CommandError {
        /// Returns the error of an address at which the server cannot listen: a sentence that names it and says what to
        /// do.
        static func listening(_ error: any Error, host: String, port: Int) -> any Error {
            let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            switch error {
            case let error as IOError where error.errnoCode == EADDRINUSE:
                return CommandError(
                    "\(place) is in use by another program: end that one, or give another port with --port",
                    field: "--port")
            case let error as IOError where error.errnoCode == EACCES:
                return CommandError(
                    "\(place) is not permitted to this user: give a port from 1024 on with --port", field: "--port")
            case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
                return CommandError(
                    "--host is \(host), which is no address of this machine: give one that is, or 127.0.0.1",
                    field: "--host")
            case let error as IOError:
                return CommandError("\(place) cannot be listened at: \(FileSystemError.text(of: error.errnoCode))")
            case is SocketAddressError:
                return CommandError(
                    "--host is \(host), which is no address and no name that is known here: give an address",
                    field: "--host")
            default: return error
            }
        }
    }
#endif
