import ArgumentParser
import Foundation
import LeapBase
import LeapCPU
import LeapChat
import LeapDemoModel
import LeapDevices
import LeapEngine
import LeapGPU
import LeapTransfers

/// `leap doctor`: what of this machine matters to the program, one line each.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show versions, processor, instruction set, GPUs, memory, disk and the model folder.",
        discussion: "One line each, to include in bug reports and questions. Fetches and writes nothing.")

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let facts = MachineFacts.all()
        if json {
            let object = Dictionary(facts.map { ($0.name, $0.value) }) { first, _ in first }
            Terminal.writeLine(try object.jsonLine())
        } else {
            for fact in facts { Terminal.writeText("\(fact.name.padded(to: 18))\(fact.value)") }
        }
    }
}

/// The facts about this machine that matter to the program.
enum MachineFacts {
    static func all() -> [(name: String, value: String)] {
        let folder = ModelNames.store.configuration.folder
        let models = (try? ModelNames.store.list()) ?? []
        let size = ByteText.of(models.reduce(0) { $0 + $1.size })
        let facts: [(name: String, value: String)] = [
            ("version", PackageVersion.text),
            ("program", ProgramPath.executable ?? CommandLine.arguments.first ?? "unknown"),
            ("system", system),
            ("processor", processor),
            ("instruction set", "\(InstructionSet.current) of \(InstructionSet.supported.joined(separator: ", "))"),
            ("memory", "\(amount(MachineMemory.physical)), \(amount(MachineMemory.available)) free"),
            ("models", "\(models.count), \(size), in \(folder)"),
            ("disk", "\(amount(FileSystem.availableSpace(at: folder))) free there"),
            ("demo model", demo),
            ("server", (try? SiblingProgram.server.path()) ?? "leap-server is not beside this program"),
        ]
        return facts + gpus(SystemGPUs.survey())
    }

    /// A line for each GPU, by the number that `LEAP_GPU` takes, and one where none is used.
    static func gpus(_ survey: GPUSurvey) -> [(name: String, value: String)] {
        var lines = survey.devices.enumerated().map { index, device in
            let driver = device.driver.isEmpty ? "" : ", driver \(device.driver)"
            let memory =
                "\(ByteText.of(Int64(clamping: device.memoryByteCount)))\(device.isUnified ? " shared with the processor" : "")"
            return (name: "gpu \(index)", value: "\(device.name)\(driver), \(memory); \(survey.remark(index))")
        }
        if let problem = survey.problem { lines.append((name: "gpu", value: "none is used: \(problem)")) }
        return lines
    }

    private static func amount(_ bytes: Int64?) -> String { bytes.map { ByteText.of($0) } ?? "unknown" }

    private static var demo: String {
        do { return try LeapDemoModel.url.path } catch { return error.sentence }
    }

    private static var system: String {
        var name = utsname()
        guard uname(&name) == 0 else { return ProcessInfo.processInfo.operatingSystemVersionString }
        func text<T>(_ field: T) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(name.sysname)) \(text(name.release)) \(text(name.machine))"
    }

    private static var processor: String {
        "\(processorName ?? "unknown"), \(ProcessInfo.processInfo.activeProcessorCount) threads"
    }

    private static var processorName: String? {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
            guard let bytes = try? FileSystem.read("/proc/cpuinfo", limit: 1 << 24) else { return nil }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            guard let line = lines.first(where: { $0.hasPrefix("model name") || $0.hasPrefix("CPU part") }),
                let colon = line.firstIndex(of: ":")
            else { return nil }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        #endif
    }
}
