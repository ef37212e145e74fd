/// The destination of log lines: swift-log's logger with the label `open-leap`, at its default level and handler.
package enum LeapLog {
    /// Made anew each time, so that a handler that the app installs later gets the lines from then on.
    package static var logger: PrintableLogger { PrintableLogger(label: "open-leap") }
}
