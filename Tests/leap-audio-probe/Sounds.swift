import Foundation
import LeapAudio
import LeapTestSupport

/// Damages files by chance and prints how many were read and refused.
func damageAudio(_ arguments: ArraySlice<String>) throws {
    let arguments = Array(arguments)
    guard arguments.count > 2, let seed = UInt64(arguments[0]), let count = Int(arguments[1]) else {
        FileHandle.standardError.write(Data("usage: leap-audio-probe sounds SEED COUNT FILE…\n".utf8))
        exit(64)
    }
    var files = try arguments[2...].map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
    var numbers = SeededGenerator(seed: seed)
    // Bytes by chance behind the first ones of each format.
    for start in ["fLaC", "OggS", "ID3"] {
        files.append(Array(start.utf8) + (0..<600).map { _ in UInt8.random(in: 0...255, using: &numbers) })
    }
    // A file that is whole, so that the library is there before memory is limited.
    for file in files { _ = try? AudioFile.read(Data(file)) }
    limitMemory(to: 160 << 20)
    let limits = AudioLimits(maxSamples: 1 << 20, maxDecoded: 1 << 22)
    var (read, refused) = (0, 0)
    for index in 0..<count {
        let damaged = Mutation.apply(to: files[index % files.count], &numbers)
        do {
            let sound = try AudioFile.read(Data(damaged), limits: limits)
            guard sound.sampleCount <= limits.maxSamples, sound.samples.allSatisfy(\.isFinite) else {
                fatalError("samples of file \(index)")
            }
            read += 1
        } catch {
            refused += 1
        }
    }
    print(read, refused)
}

/// Limits the memory of the process to what it has already and a number of bytes.
func limitMemory(to bytes: Int) {
    #if os(Linux)
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = Int(text.split(separator: " ").first ?? "") ?? 0
        let most = rlim_t(pages * 4096 + bytes)
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #endif
}
