import Foundation
import LeapAudio
import LeapBase
import LeapTestSupport

// A process of its own for tests that hold damaged sound files to a limit of memory.
//   leap-audio-probe sounds SEED COUNT FILE…
// Damages the files COUNT times by chance, and prints how many were read and how many refused.
//   leap-audio-probe activity [--threshold X] [--padding SECONDS] [--silence SECONDS] FILE.wav…
// Prints where the detector of voice activity hears speech begin and end in each file, as sample positions and when
// that was known.
//   leap-audio-probe SEED COUNT
// Damages files of every encoding COUNT times by chance, makes spectra of those that can be read, and prints how many
// these were, how many were read up to where they are cut off, and how many were refused.

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "activity" {
    try printActivity(arguments.dropFirst())
    exit(0)
}
if arguments.first == "sounds" {
    try damageAudio(arguments.dropFirst())
    exit(0)
}
guard arguments.count == 2, let seed = UInt64(arguments[1]), let count = Int(arguments[2]) else {
    FileHandle.standardError.write(Data("usage: leap-audio-probe SEED COUNT\n".utf8))
    exit(64)
}

var numbers = SeededGenerator(seed: seed)
let noise = (0..<1200).map { _ in UInt8.random(in: 0...255, using: &numbers) }
let list: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
let files = [
    MadeWAV.file(samples: noise), MadeWAV.file(rate: 48_000, bits: 24, samples: noise),
    MadeWAV.file(rate: 8000, bits: 32, samples: noise, extra: list),
    MadeWAV.file(tag: 3, rate: 44_100, bits: 32, samples: noise, declared: .max),
    MadeWAV.file(tag: 3, rate: 22_050, bits: 32, samples: noise, declared: 0),
    MadeWAV.file(channels: 2, bits: 8, samples: noise, behind: list), MadeWAV.file(tag: 3, bits: 64, samples: noise),
    MadeWAV.file(tag: 6, channels: 5, bits: 8, samples: noise), MadeWAV.file(tag: 7, bits: 8, samples: noise),
    MadeWAV.file(samples: [], behind: list + list), MadeWAV.longFile(samples: noise),
    MadeWAV.extensible(tag: 1, channels: 3, bits: 24, samples: noise),
].map { [UInt8]($0) }

limitMemory(to: 128 << 20)

var (read, cut, refused) = (0, 0, 0)
for index in 0..<count {
    let damaged = Mutation.apply(to: files[index % files.count], &numbers)
    do {
        let file = try WAVFile(Data(damaged))
        // What a model would make of it, at any rate that a damaged header may name; a second at most.
        let length = Resampler.count(of: file.sampleCount, from: file.sampleRate, to: MelSpectrum.sampleRate) ?? .max
        if index % 16 == 0, length < 16_000 {
            var builder = MelSpectrumBuilder(sampleRate: file.sampleRate, form: .normalised)
            builder.append(file.samples)
            let spectrum = builder.finish()
            guard spectrum.values.allSatisfy(\.isFinite),
                spectrum.frameCount == MelSpectrum.frameCount(samples: length, form: .normalised)
            else { fatalError("a spectrum of \(spectrum.frameCount) frames of file \(index)") }
        } else {
            guard file.samples.allSatisfy(\.isFinite) else { fatalError("samples of file \(index)") }
        }
        if file.note == nil { read += 1 } else { cut += 1 }
    } catch {
        refused += 1
    }
}
print(read, cut, refused)
