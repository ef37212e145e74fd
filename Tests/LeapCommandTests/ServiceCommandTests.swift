import Foundation
import LeapBase
import Testing

@testable import LeapCommandLine

/// `leap service`.
@Suite(.ownThreads)
struct ServiceCommandTests {
    @Test("Unit files name the program, its arguments as they are, and a socket for the user alone")
    func units() throws {
        let files = ServiceFiles.systemd(
            ["/opt/a b/leap-server", "--cache", #"/tmp/100%/$x"\"#], environment: ["HOME": "/home/u"])
        #expect(files.usualFolder == "/home/u/.config/systemd/user")
        #expect(files.all.map(\.name) == ["open-leap.socket", "open-leap.service"])
        let (socket, service) = (files.all[0].text, files.all[1].text)
        #expect(service.contains(##"ExecStart="/opt/a b/leap-server" "--cache" "/tmp/100%%/$$x\"\\""##))
        #expect(service.contains("Type=notify"))
        #expect(socket.contains("ListenStream=%t/open-leap/service.sock\nSocketMode=0600\nDirectoryMode=0700"))
        #expect(
            ServiceFiles.systemd([], environment: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]).usualFolder
                == "/c/systemd/user")
        #expect(throws: CommandError.self) { try ServiceFiles(program: "/leap-server", arguments: ["a\nExecStop=b"]) }
    }

    @Test("A launchd agent is a property list with the program and its arguments")
    func agent() throws {
        let file = try #require(ServiceFiles.launchd(["/opt/<leap>/leap-server", "--service", "a & b"]).all.first)
        let list = try PropertyListSerialization.propertyList(from: Data(file.text.utf8), format: nil)
        let words = (list as? [String: Any])?["ProgramArguments"] as? [String]
        #expect(words == ["/opt/<leap>/leap-server", "--service", "a & b"])
    }

    @Test("Without a service the commands say where none answers, and what is wrong with a socket's path")
    func withoutService() throws {
        for command in ["status", "stop"] {
            let outcome = try LeapProgram.run(["service", command, "--socket", "/nonexistent/leap.sock"])
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("no model service answers at /nonexistent/leap.sock"), "\(outcome.errors)")
            #expect(try LeapProgram.run(["service", command, "--socket", "leap.sock"]).status != 0)
        }
    }

    #if os(Linux)
        @Test("Beside a service that does not answer, status and stop say that, and nothing that is not so")
        func silentService() async throws {
            // Short, as the path of a socket may not be long.
            let folder = "/tmp/olc-\(UInt32.random(in: 0...UInt32.max))"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = folder + "/s"
            // Takes connections and greets nobody.
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) } == 0
            }
            try #require(isBound && listen(listener, 16) == 0)
            // Both wait for some seconds: at the same time.
            async let status = LeapProgram.run(["service", "status", "--socket", path])
            async let stop = LeapProgram.run(["service", "stop", "--socket", path])
            for outcome in try await [status, stop] {
                #expect(outcome.status == 1, "\(outcome)")
                #expect(
                    outcome.errors.contains("the model service at \(path) does not answer: it is busy, or stopped"),
                    "\(outcome.errors)")
                #expect(!outcome.errors.contains("no model service"), "\(outcome.errors)")
                #expect(!outcome.errors.contains("in this process"), "\(outcome.errors)")
            }
        }
    #endif

    @Test("install writes its files where it is told, and removes them again")
    func install() throws {
        let folder = try TemporaryFolder()
        // Only where leap-server was built too is there a program to install.
        let installed = try LeapProgram.run([
            "service", "install", "--directory", folder.url.path, "--argument=--threads",
        ])
        guard installed.status == 0 else {
            #expect(installed.errors.contains("leap-server is not beside"))
            return
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!files.isEmpty && files.allSatisfy { $0.hasPrefix("open-leap") })
        #expect(try LeapProgram.run(["service", "install", "--directory", folder.url.path, "--remove"]).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
