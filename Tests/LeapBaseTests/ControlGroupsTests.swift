import Foundation
import LeapBase
import Testing

/// The limits of control groups, on machines that are made of files.
struct ControlGroupsTests {
    /// The limits where the given files lie below the root.
    private func limits(_ files: [String: String]) throws -> (processors: Double?, memory: Int64?) {
        try machine(files) { root in
            let groups = ControlGroups(root: root)
            return (groups.processors, groups.memory)
        }
    }

    /// Runs something while the given files lie below a root, which is handed over with a slash at its end.
    private func machine<Value>(_ files: [String: String], _ body: (String) throws -> Value) throws -> Value {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("groups-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try body(root.path + "/")
    }

    @Test("Without control groups, or without limits, there is none")
    func noLimits() throws {
        for files in [
            [:],
            ["proc/self/cgroup": "nonsense\n::\n0::/a\n"],
            ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"],
            ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"],
            ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "-5\n", "sys/fs/cgroup/cpu.max": "0 0\n"],
            ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "99999999999999999999\n"],
            ["proc/self/cgroup": "4:cpuset:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "5\n"],
        ] {
            let found = try limits(files)
            #expect(found.processors == nil && found.memory == nil, "\(files)")
        }
    }

    @Test("Of the second version the least limit of a group and those above it holds, beside the first version too")
    func secondVersion() throws {
        for place in ["", "unified/"] {
            let found = try limits([
                "proc/self/cgroup": "3:cpuset:/\n0::/app.slice/leap.service\n",
                "sys/fs/cgroup/\(place)app.slice/leap.service/memory.max": "4000000000\n",
                "sys/fs/cgroup/\(place)app.slice/memory.max": "3000000000\n",
                "sys/fs/cgroup/\(place)memory.max": "max\n",
                "sys/fs/cgroup/\(place)app.slice/leap.service/cpu.max": "150000 100000\n",
                "sys/fs/cgroup/\(place)cpu.max": "800000 100000\n",
            ])
            #expect(found.processors == 1.5)
            #expect(found.memory == 3_000_000_000)
        }
    }

    @Test("The group whose limit is the smallest counts what cannot be freed, without pages of files")
    func memoryGroup() throws {
        let files = [
            "proc/self/cgroup": "0::/app.slice/leap.service\n",
            "sys/fs/cgroup/app.slice/leap.service/memory.max": "max\n",
            "sys/fs/cgroup/app.slice/leap.service/memory.high": "3000000000\n",
            "sys/fs/cgroup/app.slice/memory.max": "2000000000\n",
            "sys/fs/cgroup/app.slice/memory.stat": "anon 700\nfile 900000\nshmem 20\npagetables 3\nnonsense\n",
        ]
        try machine(files) { root in
            let group = try #require(ControlGroups(root: root).memoryGroup)
            #expect(group == MemoryGroup(folder: root + "sys/fs/cgroup/app.slice/", limit: 2_000_000_000))
            #expect(group.heldByteCount == 723)
            #expect(MemoryGroup(folder: root + "nowhere/", limit: 1).heldByteCount == nil)
        }
        for files in [[:], ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"]] {
            try machine(files) { root in #expect(ControlGroups(root: root).memoryGroup == nil) }
        }
    }

    @Test("Of the first version each controller has groups of its own, alone or with another one")
    func firstVersion() throws {
        let found = try limits([
            "proc/self/cgroup": "7:memory:/docker/abc\n5:cpu,cpuacct:/docker/abc\n",
            "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": "2147483648\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us": "100000\n",
        ])
        #expect(found.memory == 2_147_483_648)
        #expect(found.processors == 0.5)
    }

    @Test("A container sees its own group as the outermost one, whatever its name is outside")
    func container() throws {
        for path in ["/", "/../../docker/abc", "/kubepods/pod1/abc"] {
            let found = try limits([
                "proc/self/cgroup": "0::\(path)\n", "sys/fs/cgroup/memory.max": "1073741824\n",
                "sys/fs/cgroup/cpu.max": "200000 100000\n",
            ])
            #expect(found.memory == 1_073_741_824)
            #expect(found.processors == 2)
        }
    }
}
