/// What the cases say of attributes.
extension DefinitionCase {
    static let attributes: [DefinitionCase] = [
        .valid(Definition.attribute(#""text""#)),
        .valid(Definition.attribute(#""integer""#)),
        .valid(Definition.attribute(#""real""#)),
        .valid(Definition.attribute(#""decimal""#)),
        .valid(Definition.attribute(#""boolean""#)),
        .valid(Definition.attribute(#""date""#)),
        .valid(Definition.attribute(#""datetime""#)),
        .valid(Definition.attribute(#""json""#)),
        .valid(Definition.attribute(#""bytes""#)),
        .valid(Definition.attribute(#"{ "type": "real", "decimalMark": ",", "thousands": "." }"#)),
        .valid(Definition.attribute(#"{ "type": "integer", "thousands": "'" }"#)),
        .valid(Definition.attribute(#"{ "type": "date", "format": ["%d.%m.%Y", "%Y-%m-%d"] }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "real", "decimalMark": »";" }"#),
            #""decimalMark" must be "," or ".", not the text ";""#),
        .meaningless(
            Definition.attribute(#"{ "type": "decimal", »"thousands": "." }"#),
            "one mark cannot stand before the fraction and between thousands"),
        .meaningless(
            Definition.attribute(#"{ "type": "text", »"thousands": "," }"#),
            #""thousands" is for the types integer, real and decimal, not for text"#),
        .malformed(
            Definition.attribute(#"{ "type": "date", "format": »[] }"#),
            #""format" must be a format, or of dates a list of formats, not an empty list"#),
        .malformed(
            Definition.attribute(#"{ "type": "duration", "format": »["m:s", "h:m"] }"#),
            #""format" must be a format, or of dates a list of formats, not a list"#),
        .valid(Definition.attribute(#"{ "type": "datetime", "format": ["unix", "%FT%T%z"] }"#)),
        .valid(
            Definition.attribute(#"{ "type": "datetime", "format": ["rfc3339", "unix-ms"], "timeZone": "UTC" }"#)),
        .valid(
            Definition.attribute(
                #"{ "type": "text", "required": true, "index": false, "was": "y" }"#)),
        .valid(Definition.attribute(#"{ "type": "text", "index": true, "onAbsent": "null" }"#)),
        .valid(Definition.attribute(#"{ "type": "date", "format": "%d.%m.%Y" }"#)),
        .valid(
            Definition.attribute(#"{ "type": "datetime", "format": "%d.%m.%Y %H:%M", "timeZone": "Europe/Berlin" }"#)),
        .valid(Definition.attribute(#"{ "type": "datetime", "format": "%d.%m.%Y %H:%M %z" }"#)),
        .valid(Definition.attribute(#"{ "type": "datetime", "format": "unix-ms" }"#)),
        .valid(Definition.attribute(#"{ "type": "datetime", "timeZone": "UTC" }"#)),
        .valid(Definition.attribute(#"{ "type": "datetime", "timeZone": "Europe/Berlin", "repeatedHour": "later" }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "datetime", "repeatedHour": »"later" }"#),
            #""repeatedHour" says what local times mean, and needs "timeZone" beside it"#),
        .valid(Definition.attribute(#"{ "type": "datetime", "format": "unix", "fraction": 0 }"#)),
        .valid(Definition.attribute(#"{ "type": "datetime", "fraction": 9 }"#)),
        .valid(Definition.attribute(#""duration""#)),
        .valid(
            Definition.attribute(
                #"{ "type": "duration", "format": "m:s", "fraction": 3 }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "duration", »"timeZone": "UTC" }"#),
            #""timeZone" is for the type datetime, not for duration"#),
        .valid(Definition.attribute(#"{ "type": "decimal", "scale": 100 }"#)),
        .valid(Definition.attribute(#"{ "type": "decimal", "scale": 18, "as": "integer" }"#)),
        .valid(Definition.attribute(#"{ "type": "integer", "min": 0, "max": 9, "oneOf": [1, 2] }"#)),
        .meaningless(
            Definition.attribute(#"{ "type": "integer", "oneOf": [1, »"x"] }"#), #""oneOf": integer expected"#),
        .valid(Definition.attribute(#"{ "type": "text", "oneOf": ["a", "b"] }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"min": 0 }"#),
            #""min" is for the types integer, real, decimal, date, datetime and duration, not for text"#),
        .malformed(
            Definition.attribute(#"{ "type": "boolean", »"oneOf": ["true"] }"#),
            #""oneOf" is not for the type boolean"#),
        .malformed(
            Definition.attribute(#"{ "type": "integer", "max": »true }"#),
            #""max" must be a text or a number, not true"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "oneOf": »[] }"#),
            #""oneOf" must be a list of values, not an empty list"#),
        .malformed(
            Definition.attribute(#"{ "type": "datetime", "fraction": »10 }"#),
            #""fraction" must be a whole number of at least 0 and at most 9, not the number 10"#),
        .malformed(
            Definition.attribute(#"{ "type": "date", »"fraction": 3 }"#),
            #""fraction" is for the types datetime and duration, not for date"#),
        .malformed(
            Definition.attribute(#"{ "type": "decimal", "scale": »-1 }"#),
            #""scale" must be a whole number of at least 0 and at most 100, not the number -1"#),
        .malformed(
            Definition.attribute(#"{ "type": "decimal", "scale": »19, "as": "integer" }"#),
            #""scale" must be a whole number of at least 0 and at most 18, not the number 19"#),
        .malformed(
            Definition.attribute(#"{ "type": "real", »"scale": 2 }"#),
            #""scale" is for the type decimal, not for real"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"as": "integer" }"#),
            #""as" is for the type decimal, not for text"#),
        .malformed(
            Definition.attribute(#"{ "type": "decimal", »"as": "integer" }"#),
            #""as" needs "scale": it says which unit the integers count"#),
        .malformed(
            Definition.attribute(#"{ "type": "decimal", "scale": 2, "as": »"text" }"#),
            #""as" must be "integer", not the text "text""#),
        .malformed(
            Definition.attribute(#"»"txt""#),
            #""x" must be "text", "integer", "real", "decimal", "boolean", "date", "datetime", "duration", "json" or "bytes", not the text "txt": did you mean "text"?"#
        ),
        .malformed(
            Definition.attribute(#"»5"#),
            #""x" must be a type or an object, not the number 5"#),
        .malformed(
            Definition.attribute(#"»{}"#),
            #"the attribute "x" needs "type""#),
        .malformed(
            Definition.attribute(#"{ "type": »"string" }"#),
            #""type" must be "text", "integer", "real", "decimal", "boolean", "date", "datetime", "duration", "json" or "bytes", not the text "string": did you mean "text"?"#
        ),
        .malformed(
            Definition.attribute(#"{ "type": »"itneger" }"#),
            #""type" must be "text", "integer", "real", "decimal", "boolean", "date", "datetime", "duration", "json" or "bytes", not the text "itneger": did you mean "integer"?"#
        ),
        .malformed(
            Definition.attribute(#"{ "type": »"bool" }"#),
            #""type" must be "text", "integer", "real", "decimal", "boolean", "date", "datetime", "duration", "json" or "bytes", not the text "bool": did you mean "boolean"?"#
        ),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"requird": true }"#),
            #"unknown key "requird" in the attribute "x": did you mean "required"?"#
        ),
        .malformed(
            Definition.attribute(#"{ "type": "text", "required": »"yes", "index": »1, "onAbsent": »null }"#),
            #""required" must be true or false, not the text "yes""#,
            #""index" must be true or false, not the number 1"#,
            #""onAbsent" must be "keep" or "null", not null"#),
        .valid(Definition.attribute(#"{ "type": "text", "many": true }"#)),
        .valid(
            Definition.attribute(#"{ "type": "integer", "from": "a[*].b", "many": true, "required": true, "min": 1 }"#)),
        .valid(Definition.attribute(#"{ "type": "text", "many": true, "split": ",", "nullIf": "-" }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "json", »"many": true }"#),
            #""many" is not for the type json: it takes lists as they are"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "many": true, »"default": "x" }"#),
            #"a list takes no "default""#),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"split": "," }"#),
            #""split" needs "many": true"#),
        .valid(Definition.attribute(#"{ "type": "text", "many": true, "split": ",", "matches": "[a-z]+" }"#)),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"matches": "x" }"#),
            #""matches" needs "many": true"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "many": true, "matches": »"(" }"#),
            "the pattern is wrong"),
        .malformed(
            Definition.attribute(#"{ "type": "text", »"format": "%Y" }"#),
            #""format" is for the types date, datetime and duration, not for text"#),
        .malformed(
            Definition.attribute(#"{ "type": "date", »"timeZone": "UTC" }"#),
            #""timeZone" is for the type datetime, not for date"#),
        .malformed(
            Definition.attribute(#"{ "type": "date", "format": »"unix" }"#),
            #"the format is wrong"#),
        .malformed(
            Definition.attribute(#"{ "type": "datetime", "format": »5 }"#),
            #""format" must be a text, not the number 5"#),
        .meaningless(
            Definition.attribute(#"{ "type": "datetime", "format": "%Q", "timeZone": »"Mars/Olympus" }"#),
            #"there is no time zone Mars/Olympus"#),
        .meaningless(
            Definition.attribute(#"{ "type": "datetime", "timeZone": »"Mars/Olympus" }"#),
            #"there is no time zone Mars/Olympus"#),
        .meaningless(
            Definition.attribute(#"{ "type": "date", "format": »"%Q" }"#),
            #"the format is wrong"#),
        .malformed(
            Definition.attribute(#"{ "type": "text", "was": [»1] }"#),
            #""was" must be a text, not the number 1"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "was": »"id" }"#),
            #""id" is the present name of an attribute or relationship: it cannot be an earlier one"#),
        .meaningless(
            Definition.attribute(#"{ "type": "text", "was": ["a", »"A"] }"#),
            #""A" is the earlier name of two: it can be of one"#),
    ]
}
