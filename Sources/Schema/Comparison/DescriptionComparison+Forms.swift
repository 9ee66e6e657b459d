import SluiceRecords

// Why stored values keep an attribute from taking another form.
extension DescriptionComparison {
    /// Why a stored value keeps its attribute from taking another form.
    func contradiction(_ index: Int, _ conversion: FormConversion, _ misfit: FormScan.Misfit) -> String {
        let remedy = conversion.remedy(misfit.value).map { "; " + $0 } ?? remedy(index)
        return contradiction(index, conversion)
            + ": the value \(misfit.value.shown), of the object with the objectID \(misfit.objectID), does not fit"
            + remedy
    }

    /// Why two stored values that would be one keep an attribute from taking another form.
    func contradiction(_ index: Int, _ key: ChangingKey, _ twins: FormTwins) -> String {
        let values = twins.values.map(\.shown).joined(separator: " and ")
        let objects = twins.objectIDs.map(String.init).joined(separator: " and ")
        let rule =
            key.index.map { "the index \($0) of its table lets no two objects have one" }
            ?? "one identifier is that of one object"
        return contradiction(index, key.changing[twins.column].conversion)
            + ": the values \(values), of the objects with the objectIDs \(objects), would be one in their new form, and"
            + " \(rule)" + remedy(index)
    }

    private func contradiction(_ index: Int, _ conversion: FormConversion) -> String {
        let stored = EntityDescription.Attribute("", conversion.from).described
        return contradiction(index, stored, describing[index].map(placeText) ?? "in the store \(path)")
    }

    /// What helps where stored values keep an attribute from taking another form. What identifies objects cannot be
    /// a new attribute.
    private func remedy(_ index: Int) -> String {
        if entity.identifier.contains(index) { return anew }
        return "; under another name, the attribute is a new one, which the feed fills"
    }

    /// That an attribute is of another form than the definition says.
    func contradiction(_ index: Int, _ stored: String, _ place: String) -> String {
        let attribute = entity.attributes[index]
        let new = EntityDescription.Attribute(attribute.name, attribute.conversion.stored).described
        return
            "the attribute \(entity.name).\(attribute.name) is \(stored) \(place), and the definition makes it \(new)"
    }
}

extension EntityDescription.Attribute {
    /// Its type with what belongs to it, in a message.
    var described: String {
        var text = type
        if let fraction { text += " with \"fraction\": \(fraction)" }
        if let scale { text += " with \"scale\": \(scale)" }
        return text + (isInteger ? " as integer" : "")
    }
}
