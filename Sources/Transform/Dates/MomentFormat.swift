import SluiceRecords

/// A format of datetimes that has a word of its own, and is no strptime format.
enum MomentFormat: String, CaseIterable {
    case rfc3339
    /// Seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case unixMilliseconds = "unix-ms"

    var kind: CompiledConversion.Kind {
        switch self {
        case .rfc3339: .datetime
        case .unix: .unix
        case .unixMilliseconds: .unixMilliseconds
        }
    }

    init?(_ kind: CompiledConversion.Kind) {
        guard let found = MomentFormat.allCases.first(where: { $0.kind == kind }) else { return nil }
        self = found
    }

    /// Whether a value may lack its offset from UTC, which a time zone then tells.
    var mayLackOffset: Bool { self == .rfc3339 }
}

extension Catalog {
    /// The formats that a conversion of dates accepts, as a definition has them.
    func formatNames(of conversion: CompiledConversion) -> [String] {
        switch conversion.kind {
        case .formattedDate, .formattedDatetime:
            formats[Int(conversion.format)...Int(conversion.format + conversion.otherFormats)].map(\.text)
        case .eitherDatetime: eitherFormats[Int(conversion.format)].flatMap(formatNames)
        default: [MomentFormat(conversion.kind)?.rawValue].compactMap { $0 }
        }
    }

    /// The formats of a conversion in a sentence.
    func formatWords(of conversion: CompiledConversion) -> String {
        let names = formatNames(of: conversion)
        return names.count == 1 ? "the format \(names[0])" : "one of the formats \(names.joined(separator: ", "))"
    }
}

extension Converter {
    /// A datetime in the first of several formats that reads the value. That a format finds no moment in a value, such
    /// as the 31st of February, is the reason for the fault where no other format reads it.
    mutating func eitherDatetime(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        var unfit: Complaint?
        for other in catalog.eitherFormats[Int(conversion.format)] {
            do throws(Complaint) {
                return try convert(raw, other)
            } catch {
                if case .unfit = error, unfit == nil { unfit = error }
            }
        }
        throw unfit ?? .notInFormat(conversion, raw)
    }
}
