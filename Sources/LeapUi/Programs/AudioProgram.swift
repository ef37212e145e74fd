#if os(Linux)
    import Foundation
    import LeapBase

    /// A program that records or plays raw samples: 16 bits, little-endian, one channel.
    struct AudioProgram: Sendable {
        /// The purpose of a program.
        enum Purpose { case recording, playing }

        let name: String
        let path: String
        private let purpose: Purpose

        /// Programs of a purpose, the one that is preferred first.
        static func names(_ purpose: Purpose) -> [String] {
            purpose == .recording ? ["pw-record", "arecord"] : ["pw-play", "aplay"]
        }

        /// The first program of a purpose that is installed.
        ///
        /// PipeWire's are used from the version on that takes `--raw`: before, what they took for raw samples differed.
        /// - Parameter searchPath: folders with colons between them.
        static func find(_ purpose: Purpose, searchPath: String) -> AudioProgram? {
            let folders = searchPath.split(separator: ":").map(String.init)
            for name in names(purpose) {
                let paths = folders.map { "\($0)/\(name)" }
                guard let path = paths.first(where: { access($0, X_OK) == 0 && !FileSystem.isFolder($0) }) else {
                    continue
                }
                if name.hasPrefix("pw-"), !help(of: path).contains("--raw") { continue }
                return AudioProgram(name: name, path: path, purpose: purpose)
            }
            return nil
        }

        /// Returns advice for systems that have no such program.
        static func advice(_ purpose: Purpose) -> String {
            let names = names(purpose).joined(separator: " nor ")
            return "neither \(names) is installed: install pipewire-bin (1.2 or later) or alsa-utils"
        }

        /// The arguments for samples on standard input or output.
        func arguments(sampleRate: Int) -> [String] {
            name.hasPrefix("pw-")
                ? ["--raw", "--rate", "\(sampleRate)", "--channels", "1", "--format", "s16", "-"]
                : ["-q", "-t", "raw", "-f", "S16_LE", "-r", "\(sampleRate)", "-c", "1"]
        }

        /// Returns the text that a program prints of its options; it has two seconds.
        private static func help(of path: String) -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["--help"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return "" }
            let number = process.processIdentifier
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
                if process.isRunning { kill(number, SIGKILL) }
            }
            let text = try? output.fileHandleForReading.read(upToCount: 1 << 16)
            return String(decoding: text ?? Data(), as: UTF8.self)
        }
    }

    extension Process {
        /// Ends the program at once, as this process may end next; it has nothing to save.
        func end() {
            if isRunning { kill(processIdentifier, SIGKILL) }
        }
    }
#endif
