import Logging

/// Where log lines go: swift-log's logger with the label `open-leap`, at its default level and handler.
enum LeapLog {
    static let logger = Logger(label: "open-leap")
}
