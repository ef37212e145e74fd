#if !Server
    import Foundation
    import LeapBase

    /// The program without the package trait that it needs.
    @main
    enum WithoutServer {
        static func main() {
            StandardStreams.log(
                "leap-server was built without its HTTP server: build it with “swift build -c release --traits Server --product leap-server”"
            )
            exit(69)
        }
    }
#endif
