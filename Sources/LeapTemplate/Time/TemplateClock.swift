import LeapBase

/// Provides the time to `strftime_now`, so that you can render a prompt for any moment.
public protocol TemplateClock: Sendable {
    /// The date and time, in the time zone the prompt is for.
    func now() -> TemplateDate
}

/// The system's clock in the local time zone.
public struct SystemTemplateClock: TemplateClock {
    /// Creates the clock.
    public init() {}

    /// The current local date and time.
    public func now() -> TemplateDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var seconds = time.tv_sec
        var local = tm()
        localtime_r(&seconds, &local)
        return TemplateDate(
            year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday),
            hour: Int(local.tm_hour), minute: Int(local.tm_min), second: Int(local.tm_sec),
            microsecond: Int(time.tv_nsec) / 1000)
    }
}

/// A clock with a fixed time.
public struct FixedTemplateClock: TemplateClock {
    /// The moment that the clock returns.
    public var date: TemplateDate

    /// Creates a clock that always returns `date`.
    public init(_ date: TemplateDate) { self.date = date }

    /// The fixed moment.
    public func now() -> TemplateDate { date }
}

/// A date and time without a time zone, like Python's `datetime.now()`.
public struct TemplateDate: Sendable, Hashable {
    /// The year, for example 2025.
    public var year: Int
    /// The month, 1...12.
    public var month: Int
    /// The day of the month, 1...31.
    public var day: Int
    /// The hour, 0...23.
    public var hour: Int
    /// The minute, 0...59.
    public var minute: Int
    /// The second, 0...60.
    public var second: Int
    /// The microsecond, 0...999999.
    public var microsecond: Int

    /// Creates a date; the time defaults to midnight.
    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant's `days_from_civil`).
    var daysSinceEpoch: Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 0 for Sunday.
    var weekday: Int { ((daysSinceEpoch + 4) % 7 + 7) % 7 }

    /// 1 for January 1st.
    var dayOfYear: Int { daysSinceEpoch - TemplateDate(year: year, month: 1, day: 1).daysSinceEpoch + 1 }

    /// The ISO 8601 week and the year it belongs to.
    var isoWeek: (year: Int, week: Int) {
        let weekday = (weekday + 6) % 7
        func weeks(in year: Int) -> Int {
            let first = TemplateDate(year: year, month: 1, day: 1)
            let start = first.weekday
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return start == 4 || isLeap && start == 3 ? 53 : 52
        }
        let week = (dayOfYear - weekday + 9) / 7
        if week < 1 { return (year - 1, weeks(in: year - 1)) }
        if week > weeks(in: year) { return (year + 1, 1) }
        return (year, week)
    }
}
