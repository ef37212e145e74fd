import Foundation
import LeapBase

/// The files that the system needs to start the model service by itself.
struct ServiceFiles {
    struct File {
        let name: String
        let text: String
    }

    let all: [File]
    let usualFolder: String
    let afterInstallation: String
    let afterRemoval: String

    init(program: String, arguments: [String]) throws {
        let words = [program, "--service", "--no-http"] + arguments
        for word in words where word.contains(where: \.isNewline) {
            throw CommandError("a unit file cannot hold an argument with a line end: \(word.debugDescription)")
        }
        #if canImport(Darwin)
            self = Self.launchd(words)
        #else
            self = Self.systemd(words)
        #endif
    }

    private init(all: [File], usualFolder: String, afterInstallation: String, afterRemoval: String) {
        self.all = all
        self.usualFolder = usualFolder
        self.afterInstallation = afterInstallation
        self.afterRemoval = afterRemoval
    }

    /// A user unit that the first connection to its socket starts.
    static func systemd(
        _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ServiceFiles {
        let socket = """
            [Unit]
            Description=Socket of the Open Leap model service

            [Socket]
            ListenStream=%t/open-leap/service.sock
            SocketMode=0600
            DirectoryMode=0700

            [Install]
            WantedBy=sockets.target

            """
        let service = """
            [Unit]
            Description=Open Leap model service
            Requires=open-leap.socket

            [Service]
            Type=notify
            ExecStart=\(words.map(quoted).joined(separator: " "))
            Restart=on-failure
            NoNewPrivileges=yes

            """
        let home = environment["HOME"] ?? NSHomeDirectory()
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        return ServiceFiles(
            all: [File(name: "open-leap.socket", text: socket), File(name: "open-leap.service", text: service)],
            usualFolder: folder + "/systemd/user",
            afterInstallation:
                "start it with: systemctl --user daemon-reload && systemctl --user enable --now open-leap.socket",
            afterRemoval:
                "end it with: systemctl --user stop open-leap.socket open-leap.service; systemctl --user daemon-reload")
    }

    /// A word of ExecStart: `%` and `$` mean something there, and so do quotes and backslashes.
    private static func quoted(_ word: String) -> String {
        var text = ""
        for character in word {
            switch character {
            case "\\", "\"": text += "\\\(character)"
            case "%": text += "%%"
            case "$": text += "$$"
            default: text.append(character)
            }
        }
        return "\"\(text)\""
    }

    /// An agent that runs while the user is logged in.
    static func launchd(_ words: [String]) -> ServiceFiles {
        func escaped(_ text: String) -> String {
            text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
                .replacingOccurrences(of: ">", with: "&gt;")
        }
        let list = words.map { "        <string>\(escaped($0))</string>" }.joined(separator: "\n")
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>Label</key>
                <string>open-leap.service</string>
                <key>ProgramArguments</key>
                <array>
            \(list)
                </array>
                <key>RunAtLoad</key>
                <true/>
                <key>KeepAlive</key>
                <dict>
                    <key>SuccessfulExit</key>
                    <false/>
                </dict>
                <key>ProcessType</key>
                <string>Interactive</string>
            </dict>
            </plist>

            """
        let folder = NSHomeDirectory() + "/Library/LaunchAgents"
        return ServiceFiles(
            all: [File(name: "open-leap.service.plist", text: text)], usualFolder: folder,
            afterInstallation: "start it with: launchctl bootstrap gui/$(id -u) \(folder)/open-leap.service.plist",
            afterRemoval: "end it with: launchctl bootout gui/$(id -u)/open-leap.service")
    }
}
