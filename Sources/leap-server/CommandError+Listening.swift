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
                    "\(place) is not permitted for this user: give a port of 1024 or more with --port", field: "--port")
            case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
                return CommandError(
                    "--host is \(host), which is not an address of this machine: give one that is, or 127.0.0.1",
                    field: "--host")
            case let error as IOError:
                return CommandError("cannot listen on \(place): \(FileSystemError.text(of: error.errnoCode))")
            case is SocketAddressError:
                return CommandError(
                    "--host is \(host), which is neither an address nor a known name: give an address",
                    field: "--host")
            default: return error
            }
        }
    }
#endif
