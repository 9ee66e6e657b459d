import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceTransform

extension WebSource {
    /// The request of a run: with the highest stored value, where the service is told that.
    ///
    /// - Parameter source: its index in the model.
    func request(
        _ input: FeedInput, source: Int, _ model: Model, _ marks: SinceMarks
    ) throws(Failure) -> WebRequest {
        var request = request
        if input.format == .json { request.pages?.places = PageForm.places(of: model, source: source) }
        request.mayBeEmpty = since != nil && input.format != .json
        // What is downloaded for several sources is one request.
        request.isTable = input.format.isTable && !request.isArchive
        // With `for`, each record has a value of its own.
        guard let since, since.relationship == nil, let highest = marks.value(of: input.source, since) else {
            return request
        }
        let type = model.entities[since.entity].attributes[since.attribute].conversion.type
        guard let value = since.value(highest, type) else { return request }
        if let path = since.parameter.path {
            request.body = request.body?.setting(path, to: since.bodyValue(value, type))
            return request
        }
        request.query.removeAll { $0.name.isIdentical(to: since.parameter.name) }
        request.query.append(.init(since.parameter.name, .text(since.text(sending: value))))
        return request
    }
}

extension WebSource.Since {
    /// What is sent for a value.
    func text(sending value: String) -> String {
        text?.replacingExactly(WebSource.Since.placeholder, with: value) ?? value
    }

    /// The same as JSON: numbers are numbers.
    func bodyValue(_ value: String, _ type: AttributeType) -> RequestBody {
        let isTime = type == .datetime || type == .date
        let isOfSeconds = format == .unix || format == .unixMilliseconds
        let isNumber = text == nil && (isTime ? isOfSeconds : type == .integer || type == .real)
        return .scalar(isNumber ? value : JSONText.quoted(text(sending: value)))
    }
}

extension WebSource.Since {
    /// A stored value as the service is told of it; nil: it is no value of the type.
    func value(_ stored: String, _ type: AttributeType) -> String? {
        switch type {
        case .date, .datetime: return moment(stored, type)
        case .integer: return Int64(stored).map { String(integer($0)) }
        case .real: return Double(stored).map { String(max($0 - overlap, -.greatestFiniteMagnitude)) }
        default: return stored
        }
    }

    /// A number minus the overlap; the least integer, where the overlap leads beyond it.
    private func integer(_ stored: Int64) -> Int64 {
        let (value, isBelow) = stored.subtractingReportingOverflow(Int64(bounded: overlap.rounded(.up)))
        return isBelow ? .min : value
    }

    /// The first second of the year 1: services know no other year before it.
    private static let earliest = -62_135_596_800

    private func moment(_ stored: String, _ type: AttributeType) -> String? {
        if overlap == 0, format == .rfc3339 { return WebSource.Since.shortened(stored) }
        guard let time = WebSource.Since.time(stored) else { return nil }
        // Downwards, so that nothing is left out: to what the service is told in.
        if format == .unixMilliseconds, type != .date {
            let milliseconds = time.seconds * 1000 + time.milliseconds - Int((min(overlap, 1e12) * 1000).rounded(.up))
            return String(max(milliseconds, WebSource.Since.earliest * 1000))
        }
        let seconds = max(time.seconds - wholeOverlap(type), WebSource.Since.earliest)
        switch format {
        case .unix: return String(seconds)
        case .unixMilliseconds: return String(seconds * 1000)
        case .rfc3339:
            let text = Timestamp(seconds: seconds).text
            return type == .date ? String(text.prefix { $0 != "T" }) : text
        case .written(let format, let zone):
            return WrittenMoment(format, zone: type == .date ? "UTC" : zone)?.text(of: seconds)
        }
    }

    /// The overlap in seconds: of a date, whole days.
    private func wholeOverlap(_ type: AttributeType) -> Int {
        let (overlap, day) = (min(overlap, 1e12), 86400)
        return type == .date ? Int((overlap / Double(day)).rounded(.up)) * day : Int(overlap.rounded(.up))
    }

    /// A stored time without the zeros of its fraction, since not every service takes a fraction.
    private static func shortened(_ text: String) -> String {
        guard text.contains("."), text.hasSuffix("Z") else { return text }
        var digits = text.dropLast()
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return digits + "Z"
    }

    /// The seconds since 1970 of a stored date or time, and the milliseconds of its fraction.
    private static func time(_ text: String) -> (seconds: Int, milliseconds: Int)? {
        let fields = text.split(whereSeparator: { "-T:.Z".contains($0) }).compactMap { Int32($0) }
        guard fields.count >= 3, fields[0] <= 9999, !text.hasPrefix("-") else { return nil }
        var time = unsafe tm()
        unsafe time.tm_year = fields[0] - 1900
        unsafe time.tm_mon = fields[1] - 1
        unsafe time.tm_mday = fields[2]
        if fields.count >= 6 {
            unsafe time.tm_hour = fields[3]
            unsafe time.tm_min = fields[4]
            unsafe time.tm_sec = fields[5]
        }
        let digits = text.split(separator: ".").dropFirst().first.map { $0.prefix { $0.isASCII && $0.isNumber } } ?? ""
        let milliseconds = Int((digits + "000").prefix(3)) ?? 0
        return (unsafe timegm(&time), milliseconds)
    }
}
