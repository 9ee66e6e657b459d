import Records
