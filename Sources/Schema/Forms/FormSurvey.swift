import SluiceRecords

/// The attributes of an entity whose values take another form, or why they cannot.
struct FormSurvey {
    private(set) var changes: [FormChange] = []
    private(set) var contradictions: [SchemaContradiction] = []

    /// Looks at all values that are to change.
    init(
        _ index: Int, _ comparison: DescriptionComparison, _ image: StoreImage, _ renaming: Renaming,
        _ catalog: any StoreCatalog
    ) throws(Failure) {
        let entity = comparison.entity
        guard !comparison.conversions.isEmpty, let table = try image.table(entity.table) else { return }
        let conversions = comparison.conversions.sorted { $0.key < $1.key }
        // Columns that differ from the rows of `sluice_model` are skipped: that is a contradiction of its own.
        for (attribute, conversion) in conversions
        where table.column(entity.attributes[attribute].name)?.type != catalog.dialect.type(conversion.from) { return }
        let columns = conversions.map { attribute, conversion in
            let name = renaming.nameBefore(column: entity.attributes[attribute].name, of: entity.table)
            return FormColumn(name: name, conversion: conversion)
        }
        let found = try catalog.scan(renaming.nameBefore(table: entity.table), columns)
        if let misfit = found.misfit {
            let (attribute, conversion) = conversions[misfit.column]
            contradictions = [
                SchemaContradiction(
                    message: comparison.contradiction(attribute, conversion, misfit),
                    keys: ["entities", entity.name, "attributes", entity.attributes[attribute].name, "type"])
            ]
        }
        if found.misfit == nil {
            try findTwins(comparison, table, columns, renaming, catalog)
        }
        for (place, (attribute, conversion)) in conversions.enumerated() {
            changes.append(
                FormChange(entity: index, attribute: attribute, conversion: conversion, count: found.counts[place]))
        }
    }

    /// Looks whether values that must be those of one object would be those of two.
    private mutating func findTwins(
        _ comparison: DescriptionComparison, _ table: StoredTable, _ columns: [FormColumn], _ renaming: Renaming,
        _ catalog: any StoreCatalog
    ) throws(Failure) {
        let entity = comparison.entity
        let nameBefore = { (name: String) in renaming.nameBefore(column: name, of: entity.table) }
        for key in ChangingKey.all(entity, table, columns, nameBefore: nameBefore) {
            guard let twins = try catalog.twins(renaming.nameBefore(table: entity.table), key) else { continue }
            let column = FoldedName(key.changing[twins.column].name)
            guard
                let attribute = comparison.conversions.keys.first(where: { attribute in
                    FoldedName(nameBefore(entity.attributes[attribute].name)) == column
                })
            else { continue }
            contradictions.append(
                SchemaContradiction(
                    message: comparison.contradiction(attribute, key, twins),
                    keys: ["entities", entity.name, "attributes", entity.attributes[attribute].name, "type"]))
        }
    }
}
