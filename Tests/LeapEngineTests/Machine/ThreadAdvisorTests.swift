import Foundation
import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The threads that are recommended on machines that are made of files.
@Suite(.inTurns)
struct ThreadAdvisorTests {
    /// A machine with the given files below its root.
    private func recommended(_ files: [String: String], online: Int = 4) throws -> Int {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("machine-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return ThreadAdvisor.recommended(on: LinuxProcessors(root: root.path + "/"), online: online)
    }

    /// Processors that may run, and what else is told of the machine.
    private func machine(_ allowed: String, _ files: [String: String] = [:]) -> [String: String] {
        files.merging(["proc/self/status": "Name:\tleap\nCpus_allowed_list:\t\(allowed)\nMems_allowed_list:\t0\n"]) {
            $1
        }
    }

    private func processors(_ range: Range<Int>, _ name: String, _ value: (Int) -> String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: range.map { ("sys/devices/system/cpu/cpu\($0)/\(name)", value($0) + "\n") })
    }

    @Test("A system that tells nothing has a core for every processor that runs")
    func silentSystem() throws {
        #expect(try recommended([:], online: 6) == 6)
        #expect(try recommended([:], online: -1) == 1)
        #expect(try recommended([:], online: 500) == 64)
        #expect(try recommended(machine("nonsense"), online: 3) == 3)
        #expect(try recommended(machine("9-3,x,-1"), online: 3) == 3)
    }

    @Test("Two processors on one core are one thread")
    func siblings() throws {
        let pairs = processors(0..<8, "topology/thread_siblings_list") { "\($0 % 4),\($0 % 4 + 4)" }
        #expect(try recommended(machine("0-7", pairs)) == 4)
        #expect(try recommended(machine("0,4", pairs)) == 1)
        #expect(try recommended(machine("1-2,5", pairs)) == 2)
    }

    @Test(
        "Efficient cores do not count beside fast ones: by capacity on Arm, by their measuring unit on Intel's hybrids")
    func efficientCores() throws {
        let arm = processors(0..<8, "cpu_capacity") { $0 < 4 ? "446" : $0 < 7 ? "871" : "1024" }
        #expect(try recommended(machine("0-7", arm)) == 4)
        #expect(
            try recommended(machine("0-3", arm)) == 4, "Where only efficient cores are allowed they are what there is.")
        let intel: [String: String] = ["sys/devices/cpu_core/cpus": "0-7\n", "sys/devices/cpu_atom/cpus": "8-15\n"]
            .merging(processors(0..<8, "topology/thread_siblings_list") { "\($0 / 2 * 2)-\($0 / 2 * 2 + 1)" }) { $1 }
            .merging(processors(8..<16, "topology/thread_siblings_list") { "\($0)" }) { $1 }
        #expect(try recommended(machine("0-15", intel)) == 4)
        #expect(try recommended(machine("8-15", intel)) == 8)
        // Newer kernels tell a capacity of the efficient cores that is not far from the others'.
        let told = intel.merging(processors(0..<16, "cpu_capacity") { $0 < 8 ? "1024" : "651" }) { $1 }
        #expect(try recommended(machine("0-15", told)) == 4)
    }

    @Test(
        "A control group's time limits threads, to the nearest",
        arguments: [
            ("max 100000", 8), ("50000 100000", 1), ("125000 100000", 1), ("150000 100000", 2), ("300000 100000", 3),
            ("1600000 100000", 8), ("0 100000", 8), ("200000", 8), ("200000 0", 8), ("-1 -1", 8), ("inf 1", 8),
            ("nan nan", 8), ("1e300 1e-300", 8), ("10000 1000000", 1),
        ])
    func quota(limit: String, threads: Int) throws {
        let files = ["proc/self/cgroup": "0::/app\n", "sys/fs/cgroup/app/cpu.max": limit + "\n"]
        #expect(try recommended(machine("0-7", files)) == threads)
    }

    @Test("The limits of the groups above hold too, in both versions of control groups")
    func groupsAbove() throws {
        var second = [
            "proc/self/cgroup": "0::/system/app/worker\n", "sys/fs/cgroup/system/app/cpu.max": "300000 100000\n",
            "sys/fs/cgroup/system/app/worker/cpu.max": "max 100000\n",
        ]
        #expect(try recommended(machine("0-7", second)) == 3)
        second["sys/fs/cgroup/cpu.max"] = "200000 100000\n"
        #expect(try recommended(machine("0-7", second)) == 2)
        second["proc/self/cgroup"] = "0::/../../outside\n"
        #expect(try recommended(machine("0-7", second)) == 2)

        var first = [
            "proc/self/cgroup": "3:cpuset:/\n2:cpu,cpuacct:/docker/1f\n1:name=systemd:/x\n0::/\n",
            "sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us": "400000\n",
            "sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_period_us": "100000\n",
        ]
        #expect(try recommended(machine("0-7", first)) == 4)
        // In a container the group's own folder is not seen, and its limit stands at the top.
        first["sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "200000\n"
        first["sys/fs/cgroup/cpu/cpu.cfs_period_us"] = "100000\n"
        #expect(try recommended(machine("0-7", first)) == 2)
        first["sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "-1\n"
        #expect(try recommended(machine("0-7", first)) == 4)
    }

    #if os(Linux)
        @Test("This machine's recommendation stays within its processors")
        func thisMachine() {
            #expect((1...max(1, min(64, ProcessInfo.processInfo.processorCount))).contains(ThreadAdvisor.recommended))
        }
    #endif
}
