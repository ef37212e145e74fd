#!/usr/bin/env python3
"""Lists declarations in Sources that nothing refers to, from the index that the compiler writes while it builds.

    swift build --build-tests
    python3 Scripts/dead-code.py [--tests-count]

References from tests do not count, unless --tests-count is given: what only tests use is dead in the product. Public
declarations are left out, as are overrides, requirements of protocols and what fulfils them. The list is one to read, not to delete by: the index does not record what the
compiler itself uses (CodingKeys, cases made from raw values, @main), uses by apps (requirements of public protocols) and code of other
platforms.
"""
import ctypes
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINITION, REFERENCE, IMPLICIT, OVERRIDE_OF, ACCESSOR_OF = 1 << 1, 1 << 2, 1 << 8, 1 << 11, 1 << 15
KINDS = {
    5: "enum", 6: "struct", 7: "class", 8: "protocol", 11: "typealias", 12: "func", 13: "var", 15: "case", 16: "func",
    17: "func", 18: "static func", 19: "var", 20: "var", 21: "static var", 22: "init",
}
RECORD = 2


class StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


def load_library():
    swift = pathlib.Path(subprocess.run(["which", "swift"], capture_output=True, text=True, check=True).stdout.strip()).resolve()
    names = ["libIndexStore.so", "libIndexStore.dylib"]
    library = ctypes.CDLL(str(next(p for n in names for p in (swift.parent.parent / "lib").glob(n))))
    for name in ["store_create", "unit_reader_create", "record_reader_create", "occurrence_get_symbol", "symbol_relation_get_symbol"]:
        getattr(library, "indexstore_" + name).restype = ctypes.c_void_p
    for name in ["unit_reader_get_main_file", "unit_dependency_get_name", "symbol_get_name", "symbol_get_usr"]:
        getattr(library, "indexstore_" + name).restype = StringRef
    for name in ["occurrence_get_roles", "symbol_relation_get_roles"]:
        getattr(library, "indexstore_" + name).restype = ctypes.c_uint64
    return library


INDEX = load_library()


def each(function, *leading, item=ctypes.c_void_p):
    """All items that an `…_apply_f` function passes to its callback, as lists of what `function` makes of them."""
    callback_type = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, item)

    def run(visit):
        def callback(_, value):
            visit(value)
            return True

        function(*leading, None, callback_type(callback))

    return run


def pointer(value):
    return ctypes.c_void_p(value)


def read_index(store_path):
    """Definitions {usr: (kind, name, file, line, overrides)}, references {usr: files}, accessors {usr: usr of the property}."""
    store = pointer(INDEX.indexstore_store_create(str(store_path).encode(), None))
    definitions, references, accessors = {}, {}, {}
    units = []
    each(INDEX.indexstore_store_units_apply_f, store, 0, item=StringRef)(lambda name: units.append(str(name)))
    records = {}
    for unit in units:
        reader = pointer(INDEX.indexstore_unit_reader_create(store, unit.encode(), None))
        file = str(INDEX.indexstore_unit_reader_get_main_file(reader))
        # The index names files by where the checkout was when it was built.
        match = re.search(r"/((?:Sources|Tests)/.*\.swift)$", file)
        if match and ".build/" not in file and (ROOT / match.group(1)).exists():

            def add(dependency, file=match.group(1)):
                dependency = pointer(dependency)
                if INDEX.indexstore_unit_dependency_get_kind(dependency) == RECORD:
                    records[str(INDEX.indexstore_unit_dependency_get_name(dependency))] = file

            each(INDEX.indexstore_unit_reader_dependencies_apply_f, reader)(add)
        INDEX.indexstore_unit_reader_dispose(reader)

    for record, file in records.items():
        reader = INDEX.indexstore_record_reader_create(store, record.encode(), None)
        if not reader:
            continue

        def visit(occurrence, file=file):
            occurrence = pointer(occurrence)
            roles = INDEX.indexstore_occurrence_get_roles(occurrence)
            symbol = pointer(INDEX.indexstore_occurrence_get_symbol(occurrence))
            usr = str(INDEX.indexstore_symbol_get_usr(symbol))
            overrides = []

            def relate(relation):
                relation = pointer(relation)
                related = INDEX.indexstore_symbol_relation_get_roles(relation)
                if related & OVERRIDE_OF:
                    overrides.append(True)
                if related & ACCESSOR_OF:
                    target = pointer(INDEX.indexstore_symbol_relation_get_symbol(relation))
                    accessors[usr] = str(INDEX.indexstore_symbol_get_usr(target))

            each(INDEX.indexstore_occurrence_relations_apply_f, occurrence)(relate)
            kind = INDEX.indexstore_symbol_get_kind(symbol)
            if roles & REFERENCE:
                references.setdefault(usr, set()).add(file)
            elif roles & DEFINITION and not roles & IMPLICIT and kind in KINDS:
                line, column = ctypes.c_uint(), ctypes.c_uint()
                INDEX.indexstore_occurrence_get_line_col(occurrence, ctypes.byref(line), ctypes.byref(column))
                name = str(INDEX.indexstore_symbol_get_name(symbol))
                definitions[usr] = (KINDS[kind], name, file, line.value, bool(overrides))

        each(INDEX.indexstore_record_reader_occurrences_apply_f, pointer(reader))(visit)
        INDEX.indexstore_record_reader_dispose(pointer(reader))
    return definitions, references, accessors


def main():
    tests_count = "--tests-count" in sys.argv
    stores = sorted((ROOT / ".build").glob("*/debug/index/store"))
    if not stores:
        sys.exit("no index under .build: run swift build --build-tests first")
    definitions, references, accessors = read_index(stores[0])
    used = set()
    for usr, files in references.items():
        if tests_count or any(file.startswith("Sources/") for file in files):
            used.add(usr)
            used.add(accessors.get(usr, usr))
    lines = {}
    found = []
    for usr, (kind, name, file, line, overrides) in definitions.items():
        if not file.startswith("Sources/") or usr in used or overrides:
            continue
        text = lines.setdefault(file, (ROOT / file).read_text().split("\n"))
        source = text[line - 1] if line <= len(text) else ""
        if name.split("(")[0] not in source and kind != "init":
            continue  # a record of an older version of the file
        if re.search(r"\b(public|open|override|@main)\b", source):
            continue
        found.append((file, line, kind, name))
    for file, line, kind, name in sorted(found):
        print(f"{file}:{line}: {kind} {name}")
    print(f"{len(found)} of {sum(d[2].startswith('Sources/') for d in definitions.values())} declarations", file=sys.stderr)


main()
