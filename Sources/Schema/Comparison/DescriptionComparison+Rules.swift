import SluiceRecords

// What an entity says of programs, of absent objects and of edits, beside what the store and other pipelines say.
extension DescriptionComparison {
    /// No pipeline may fill an entity that another one leaves to programs. Nor may any pipeline fill it while programs
    /// have objects there: these objects would be absent from its feed. An entity that has objects of a feed is not
    /// left to programs by a definition that has only lost its `records`: with the line back, it would be refused.
    mutating func comparePrograms(_ row: ModelRow) throws(Failure) {
        guard row.description.isOfPrograms != entity.isOfPrograms else { return }
        if isOwn(row) || row.description.isLost {
            guard row.description.isOfPrograms || !row.description.isLost, try image.holdsObjects(entity.table) else {
                return
            }
            return row.description.isOfPrograms ? refuseFilling(row) : refuseLeaving(row)
        }
        let (stored, new) =
            entity.isOfPrograms ? ("is filled", "leaves it to programs") : ("belongs to programs", "fills it")
        refuse("", ["records"], "the entity \(entity.name) \(stored) \(placeText(row)), and the definition \(new)")
    }

    private mutating func refuseFilling(_ row: ModelRow) {
        refuse(
            "", ["records"],
            "the entity \(entity.name) belongs to programs \(placeText(row)), which have objects there, and the definition"
                + " fills it; give the feed's objects an entity of their own, or delete those of the programs first")
    }

    private mutating func refuseLeaving(_ row: ModelRow) {
        refuse(
            "", ["records"],
            "the entity \(entity.name) has objects of a feed \(placeText(row)), and the definition has no \"records\" for it,"
                + " which leaves it to programs; say where its records are, or, to leave its objects to programs, run"
                + " DELETE FROM sluice_model WHERE pipeline = \(quotedText(row.pipeline)) AND entity ="
                + " \(quotedText(entity.name)) first")
    }

    mutating func compareAbsent(_ row: ModelRow) {
        guard !isOwn(row), !row.description.isLost else { return }
        let (stored, new) = (row.description.absent, entity.absence.choice.rawValue)
        guard stored != Entity.Absent.keep.rawValue || entity.removesAbsent else { return }
        refuse(
            "absent", ["absent"],
            "the pipeline \(row.pipeline) feeds the entity \(entity.name) of the store \(path), too, with \"absent\":"
                + " \"\(stored)\", and the definition of \(pipeline) says \"\(new)\": where two pipelines feed one entity,"
                + " neither knows what is absent, and both must say \"keep\"; if \(pipeline) is \(row.pipeline) in another"
                + " file, say \"name\": \(JSONText.quoted(row.pipeline)) in it")
    }

    /// What programs said would be replaced, and forgotten, by the pipeline that does not keep it.
    mutating func compareEdits(_ row: ModelRow) {
        guard !isOwn(row), !row.description.isLost, row.description.keepsEdits, !entity.edits.areKept,
            !entity.isOfPrograms
        else { return }
        refuse(
            "edits", ["edits"],
            "the pipeline \(row.pipeline) keeps what programs change of the entity \(entity.name) of the store \(path)"
                + " (\"edits\"), and the definition of \(pipeline) replaces it: it must say \"keep\" or \"reject\", too"
        )
    }
}
