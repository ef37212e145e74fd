import Foundation
import LeapBase
import LeapTestSupport
import LeapVision

// A process of its own for tests that hold damaged image files to a limit of memory.
//   leap-vision-probe SEED COUNT FILE...
// Damages the files COUNT times by chance, reads each result, and prints how many were images and how many were refused.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count > 2, let seed = UInt64(arguments[1]), let count = Int(arguments[2]) else {
    FileHandle.standardError.write(Data("usage: leap-vision-probe SEED COUNT FILE...\n".utf8))
    exit(64)
}
let files = try arguments.dropFirst(2).map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }

#if os(Linux)
    /// What the process has already, and 128 MiB.
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
