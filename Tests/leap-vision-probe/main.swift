import Foundation
import LeapBase
import LeapTestSupport
import LeapVision

// A process of its own for tests that hold damaged image files to a limit of memory.
//   leap-vision-probe SEED COUNT FILE...
// Damages the files COUNT times by chance, reads each result, and prints how many were images and how many were
// refused.
//   leap-vision-probe time COUNT FILE...
// Reads each file COUNT times, and prints the least milliseconds of processor time (Benchmarks/jpeg.py).

let arguments = CommandLine.arguments.dropFirst()
if arguments.count > 2, arguments[1] == "time", let count = Int(arguments[2]) {
    for path in arguments.dropFirst(2) {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var least = clock_t.max
        for _ in 0..<count {
            let start = clock()
            _ = try RGBImage(file: file)
            least = min(least, clock() - start)
        }
        print(Double(least) * 1000 / Double(CLOCKS_PER_SEC))
    }
    exit(0)
}
guard arguments.count > 2, let seed = UInt64(arguments[1]), let count = Int(arguments[2]) else {
    FileHandle.standardError.write(Data("usage: leap-vision-probe SEED COUNT FILE...\n".utf8))
    exit(64)
}
let files = try arguments.dropFirst(2).map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }

#if os(Linux)
    /// The memory that the process has already, and 128 MiB.
    let pages =
        Int((try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first ?? "") ?? 0
    var limit = rlimit(rlim_cur: rlim_t(pages * 4096 + 128 << 20), rlim_max: rlim_t(pages * 4096 + 128 << 20))
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
#endif

var numbers = SeededGenerator(seed: seed)
var (images, refused) = (0, 0)
for index in 0..<count {
    let damaged = Mutation.apply(to: files[index % files.count], &numbers)
    if (try? RGBImage(file: damaged, limits: ImageLimits(maxPixels: 1 << 22))) != nil {
        images += 1
    } else {
        refused += 1
    }
}
print(images, refused)
