#if !Server
    import Foundation

    /// The program without the package trait that it needs.
    @main
    enum WithoutServer {
        static func main() {
            FileHandle.standardError.write(
                Data(
                    "leap-server was built without its HTTP server: build it with “swift build -c release --traits Server --product leap-server”\n"
                        .utf8))
            exit(69)
        }
    }
#endif
