# Builds leap from its sources. `brew tap open-leap/open-leap https://github.com/open-leap/open-leap && brew install --HEAD leap` takes the newest
# commit; Scripts/release writes a formula with the address and the SHA-256 of the release's sources. Not tried on a Mac yet.
class Leap < Formula
  desc "Run language models on this machine's own CPU"
  homepage "https://github.com/open-leap/open-leap"
  license "Apache-2.0"
  head "https://github.com/open-leap/open-leap.git", branch: "main"

  depends_on xcode: ["16.3", :build]
  uses_from_macos "swift" => :build
  uses_from_macos "curl"

  def install
    # Homebrew's sandbox takes the place of SwiftPM's, which cannot begin inside of it.
    ENV["LEAP_BUILD_FLAGS"] = "--disable-sandbox"
    system "Scripts/package", "--server", buildpath/"out"
    prefix.install Dir[".build/package/leap-[0-9]*/*"]
  end

  test do
    reply = shell_output("#{bin}/leap run demo 'What is the capital of Portugal?' --temperature 0")
    assert_equal "The capital of Portugal is Lisbon.", reply.strip
  end
end
