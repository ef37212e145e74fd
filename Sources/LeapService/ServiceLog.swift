package import LeapCore

/// The destination of log lines.
package enum ServiceLog {
    /// Made anew each time, so that a handler that the app installs later gets the lines from then on.
    package static var logger: PrintableLogger { PrintableLogger(label: "open-leap.service") }
}
