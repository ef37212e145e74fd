/// The support table: every keyword with instances on both sides of it.
enum KeywordTable {
    static let all = types + numbers + strings + arrays + objects + applicators + references

    static let types: [KeywordCase] = [
        KeywordCase(
            "true", "true", valid: ["null", "[1, {\"a\": [\"x\"]}]", "\"é\\u00e9\\n\"", "-0.5e+10"],
            invalid: ["nul", "[1,]", "{\"a\"}", "01", "\"\u{1}\"", "1 ", " 1", "+1", "\"\\x\""]),
        KeywordCase(
            "type", ##"{"type":["integer","null"]}"##, valid: ["1", "-12", "1.0", "null", "0", "-0"],
            invalid: ["1.5", "true", "\"1\"", "1.00001"]),
        KeywordCase(
            "type (draft 4)", ##"{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"}"##,
            valid: ["7"], invalid: ["7.0"]),
        KeywordCase(
            "enum", ##"{"enum":["a","b\"c",1,2.5,null,[1,"x"],{"k":true}]}"##,
            valid: ["\"a\"", "\"b\\\"c\"", "1", "1.0", "2.5", "null", "[1, \"x\"]", "{\"k\": true}"],
            invalid: ["\"b\"", "2", "[1]", "{}", "{\"k\":false}", "true"]),
        KeywordCase("const", ##"{"const":"é/x"}"##, valid: ["\"é/x\"", "\"\\u00e9/x\""], invalid: ["\"e\"", "\"é\""]),
        KeywordCase(
            "nothing but annotations", ##"{"title":"t","description":"d","x-my":1}"##, valid: ["1", "{}"],
            invalid: ["]"]),
    ]

    static let numbers: [KeywordCase] = [
        KeywordCase(
            "minimum", ##"{"type":"integer","minimum":-3}"##, valid: ["-3", "-2", "0", "999999999999999999999"],
            invalid: ["-4", "-30", "-10"]),
        KeywordCase(
            "maximum", ##"{"type":"number","maximum":2.5}"##,
            valid: ["2.5", "2.49", "2", "-100", "2.500", "1e-05", "2.5e+00", "-7e10"],
            invalid: ["2.51", "3", "10", "2.5000001", "1e1", "2.6e0"]),
        KeywordCase(
            "exclusiveMinimum", ##"{"type":"number","exclusiveMinimum":0}"##, valid: ["0.1", "1", "1e-300"],
            invalid: ["0", "-1", "0.0", "-0"]),
        KeywordCase(
            "exclusiveMaximum", ##"{"type":"integer","exclusiveMaximum":10}"##, valid: ["9", "-10"],
            invalid: ["10", "11"]),
        KeywordCase(
            "exclusiveMinimum (draft 4)",
            ##"{"$schema":"http://json-schema.org/draft-04/schema#","minimum":5,"exclusiveMinimum":true,"type":"number"}"##,
            valid: ["5.1", "6"], invalid: ["5", "4.9"]),
        KeywordCase(
            "multipleOf", ##"{"type":"number","multipleOf":0.01}"##, valid: ["0.01", "19.99", "5", "-0.5", "0"],
            invalid: ["0.001", "19.999"]),
        KeywordCase(
            "multipleOf (integers, bounded)", ##"{"type":"integer","multipleOf":7,"minimum":10,"maximum":30}"##,
            valid: ["14", "21", "28"], invalid: ["7", "15", "35", "0"]),
        KeywordCase(
            "bounds of an interval", ##"{"type":"integer","minimum":95,"maximum":1005}"##,
            valid: ["95", "99", "100", "999", "1000", "1005"], invalid: ["94", "1006", "9", "10", "1010", "2000"]),
    ]

    static let strings: [KeywordCase] = [
        KeywordCase(
            "minLength", ##"{"type":"string","minLength":2}"##,
            valid: ["\"ab\"", "\"日本\"", "\"\\n\\n\"", "\"😀😀\"", "\"\\ud83d\\ude00x\""],
            invalid: ["\"\"", "\"a\"", "\"😀\"", "\"\\ud83d\\ude00\""]),
        KeywordCase(
            "maxLength", ##"{"type":"string","maxLength":2}"##, valid: ["\"\"", "\"ab\"", "\"😀😀\""],
            invalid: ["\"abc\"", "\"日本語\""]),
        KeywordCase(
            "maxLength (long)", ##"{"type":"string","maxLength":30}"##, valid: ["\"aaaaaaaaaaaaaaaaaaaaaaaaabcabc\""],
            invalid: ["\"aaaaaaaaaaaaaaaaaaaaaaaaabcabca\"", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""]),
        KeywordCase(
            "pattern", ##"{"type":"string","pattern":"^[a-z]+(-[0-9]{2,3})?$"}"##,
            valid: ["\"a\"", "\"abc-12\"", "\"z-123\""],
            invalid: ["\"A\"", "\"a-1\"", "\"a-1234\"", "\"\""]),
        KeywordCase(
            "pattern (unanchored)", ##"{"type":"string","pattern":"b[0-9]"}"##,
            valid: ["\"b1\"", "\"xxb2yy\"", "\"\\u0061b3\""],
            invalid: ["\"b\"", "\"xb\"", "\"1b\""]),
        KeywordCase(
            "pattern (anchors in branches)", ##"{"type":"string","pattern":"^a|b$"}"##,
            valid: ["\"ax\"", "\"xb\"", "\"a\""],
            invalid: ["\"xa\"", "\"bx\""]),
        KeywordCase(
            "pattern with lengths", ##"{"type":"string","pattern":"^[a-z]*$","minLength":3,"maxLength":4}"##,
            valid: ["\"abc\"", "\"abcd\""], invalid: ["\"ab\"", "\"abcde\"", "\"ABC\""]),
        KeywordCase(
            "pattern (unicode)", ##"{"type":"string","pattern":"^\\p{Lu}\\p{L}*$"}"##, valid: ["\"Élan\"", "\"Ω\""],
            invalid: ["\"élan\"", "\"1\""]),
        KeywordCase(
            "format date", ##"{"format":"date","type":"string"}"##, valid: ["\"2024-02-29\"", "\"1999-12-31\""],
            invalid: ["\"2023-02-29\"", "\"2024-13-01\"", "\"2024-04-31\"", "\"24-01-01\""]),
        KeywordCase(
            "format time", ##"{"format":"time","type":"string"}"##, valid: ["\"23:59:59Z\"", "\"00:00:00.5+01:30\""],
            invalid: ["\"24:00:00Z\"", "\"12:00:00\""]),
        KeywordCase(
            "format date-time", ##"{"format":"date-time","type":"string"}"##,
            valid: ["\"2024-02-29T12:00:00Z\"", "\"2020-01-01T00:00:00.123-08:00\""],
            invalid: ["\"2024-02-29\"", "\"2024-02-30T12:00:00Z\""]),
        KeywordCase(
            "format duration", ##"{"format":"duration","type":"string"}"##,
            valid: ["\"P1Y2M3D\"", "\"PT5M\"", "\"P2W\"", "\"P1DT12H\""],
            invalid: ["\"P\"", "\"PT\"", "\"1D\"", "\"P1D2H\""]),
        KeywordCase(
            "format uuid", ##"{"format":"uuid","type":"string"}"##, valid: ["\"2eb8aa08-aa98-11ea-b4aa-73b441d16380\""],
            invalid: ["\"2eb8aa08aa9811eab4aa73b441d16380\""]),
        KeywordCase(
            "format email", ##"{"format":"email","type":"string"}"##, valid: ["\"a.b@c.de\""],
            invalid: ["\"a@\"", "\"@b\"", "\"a b@c\"", "\".a@b.c\""]),
        KeywordCase(
            "format hostname", ##"{"format":"hostname","type":"string"}"##, valid: ["\"a-b.example\""],
            invalid: ["\"-a\"", "\"a_b\"", "\"\""]),
        KeywordCase(
            "format ipv4", ##"{"format":"ipv4","type":"string"}"##, valid: ["\"255.0.10.1\""],
            invalid: ["\"256.0.0.1\"", "\"1.2.3\"", "\"01.2.3.4\""]),
        KeywordCase(
            "format ipv6", ##"{"format":"ipv6","type":"string"}"##,
            valid: ["\"::1\"", "\"2001:db8::8a2e:370:7334\"", "\"::ffff:1.2.3.4\"", "\"::\""],
            invalid: ["\"1::2::3\"", "\"12345::\"", "\":1\""]),
        KeywordCase(
            "format uri", ##"{"format":"uri","type":"string"}"##,
            valid: ["\"https://a.b/c?d#e\"", "\"mailto:x@y\"", "\"https:\\/\\/a.b\""],
            invalid: ["\"/a\"", "\"a b\"", "\"http://a b\""]),
        KeywordCase(
            "format uri-reference", ##"{"format":"uri-reference","type":"string"}"##,
            valid: ["\"/a/b\"", "\"#f\"", "\"http://x\""], invalid: ["\"\\\\\\\\a\"", "\"a b\""]),
        KeywordCase(
            "format json-pointer", ##"{"format":"json-pointer","type":"string"}"##, valid: ["\"\"", "\"/a~1b/0\""],
            invalid: ["\"a\"", "\"/~2\""]),
        KeywordCase(
            "format regex", ##"{"format":"regex","type":"string"}"##,
            valid: [
                "\"\"", "\"^a+?$\"", "\"[^\\\\]a-z]*|b{2,3}\"", "\"(?:a(?<n>b|(c)))?\\\\d\"", "\"^(?!x).*$\"",
                "\"é]}\"",
            ],
            invalid: [
                "\"(\"", "\"a)\"", "\"[a\"", "\"*a\"", "\"a**\"", "\"(a\\\\)\"", "\"a\\\\\"", "\"(?a)\"", "\"(*)\"",
            ]),
        KeywordCase(
            "format (unknown: an annotation)", ##"{"format":"colour","type":"string"}"##, valid: ["\"anything\""],
            invalid: ["1"]),
    ]

    static let arrays: [KeywordCase] = [
        KeywordCase(
            "items", ##"{"type":"array","items":{"type":"integer"}}"##,
            valid: ["[]", "[1]", "[1, 2,3]", "[\n  1,\n  2\n]", "[ ]"], invalid: ["[1.5]", "[\"a\"]", "[1 ,2]"]),
        KeywordCase(
            "prefixItems", ##"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}"##,
            valid: ["[]", "[\"a\"]", "[\"a\", 1, null]"], invalid: ["[1]", "[\"a\", \"b\"]"]),
        KeywordCase(
            "items after prefixItems", ##"{"type":"array","prefixItems":[{"const":1}],"items":false}"##,
            valid: ["[]", "[1]"], invalid: ["[1, 2]", "[2]"]),
        KeywordCase(
            "additionalItems",
            ##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"const":1}],"additionalItems":{"const":2}}"##,
            valid: ["[1, 2, 2]"], invalid: ["[1, 1]"]),
        KeywordCase(
            "minItems, maxItems", ##"{"type":"array","minItems":2,"maxItems":3}"##, valid: ["[1, 2]", "[1, {}, []]"],
            invalid: ["[]", "[1]", "[1, 2, 3, 4]"]),
        KeywordCase(
            "contains", ##"{"type":"array","contains":{"type":"integer"}}"##,
            valid: ["[1]", "[\"a\", 2]", "[2, \"a\"]"], invalid: ["[]", "[\"a\"]"]),
        KeywordCase(
            "minContains, maxContains",
            ##"{"type":"array","contains":{"type":"integer"},"minContains":2,"maxContains":2}"##,
            valid: ["[1, 2]", "[1, \"a\", 2]"], invalid: ["[1]", "[1, 2, 3]", "[\"a\"]"]),
        KeywordCase(
            "uniqueItems (finite)", ##"{"type":"array","items":{"enum":["a","b",1]},"uniqueItems":true}"##,
            valid: ["[]", "[\"a\", 1, \"b\"]"], invalid: ["[\"a\", \"a\"]", "[1, 1]", "[1, 1.0]"]),
        KeywordCase(
            "uniqueItems with minItems",
            ##"{"type":"array","items":{"type":"boolean"},"uniqueItems":true,"minItems":2}"##,
            valid: ["[true, false]", "[false, true]"], invalid: ["[true]", "[true, true]"]),
        KeywordCase(
            "uniqueItems (any values)", ##"{"type":"array","uniqueItems":true}"##,
            valid: ["[1, \"1\", [1], {\"a\": 1}, {\"a\": 2}]", "[\"a\", \"ab\"]"],
            invalid: ["[\"a\", \"\\u0061\"]", "[10, 1e1]", "[{\"a\": 1, \"b\": 2}, {\"b\": 2, \"a\": 1}]"]),
        KeywordCase(
            "unevaluatedItems", ##"{"type":"array","prefixItems":[{"const":1}],"unevaluatedItems":false}"##,
            valid: ["[1]", "[]"], invalid: ["[1, 2]"]),
    ]

    static let objects: [KeywordCase] = [
        KeywordCase(
            "properties", ##"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}"##,
            valid: [
                "{}", "{\"a\": 1}", "{\"b\": \"x\", \"a\": 2}", "{\"c\": null, \"a\": 1}",
                "{\n  \"a\": 1,\n  \"b\": \"\"\n}",
            ], invalid: ["{\"a\": \"x\"}", "{\"\\u0061\": \"x\"}", "{\"a\": 1, \"a\": 2}", "{\"a\":1,}"]),
        KeywordCase(
            "required", ##"{"type":"object","properties":{"a":{},"b":{}},"required":["b","c"]}"##,
            valid: ["{\"b\": 1, \"c\": 2}", "{\"c\": 1, \"a\": 1, \"b\": 2}"],
            invalid: ["{}", "{\"b\": 1}", "{\"c\": 1}"]),
        KeywordCase(
            "additionalProperties",
            ##"{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}}"##,
            valid: ["{\"a\": \"x\", \"z\": 1}", "{\"ab\": 2}"], invalid: ["{\"z\": \"x\"}"]),
        KeywordCase(
            "additionalProperties false", ##"{"type":"object","properties":{"a":{}},"additionalProperties":false}"##,
            valid: ["{}", "{\"a\": 1}"], invalid: ["{\"b\": 1}", "{\"aa\": 1}"]),
        KeywordCase(
            "patternProperties",
            ##"{"type":"object","patternProperties":{"^n_":{"type":"integer"},"s$":{"type":"string"}},"additionalProperties":false}"##,
            valid: ["{\"n_a\": 1}", "{\"xs\": \"a\"}"],
            invalid: ["{\"n_a\": \"x\"}", "{\"x\": 1}", "{\"n_s\": 1}", "{\"n_s\": \"a\"}"]),
        KeywordCase(
            "patternProperties beside properties",
            ##"{"type":"object","properties":{"ab":{"minimum":5}},"patternProperties":{"^a":{"type":"integer"}}}"##,
            valid: ["{\"ab\": 6}", "{\"ac\": 1}", "{\"b\": \"x\"}"],
            invalid: ["{\"ab\": 4}", "{\"ab\": 5.5}", "{\"ac\": \"x\"}"]),
        KeywordCase(
            "propertyNames", ##"{"type":"object","propertyNames":{"pattern":"^[a-c]+$","maxLength":2}}"##,
            valid: ["{\"a\": 1, \"bc\": 2}", "{}"], invalid: ["{\"d\": 1}", "{\"abc\": 1}"]),
        KeywordCase(
            "minProperties", ##"{"type":"object","minProperties":1}"##, valid: ["{\"a\": 1}", "{\"a\": 1, \"b\": 2}"],
            invalid: ["{}"]),
        KeywordCase(
            "minProperties (undeclared)", ##"{"type":"object","minProperties":3,"required":["a"]}"##,
            valid: ["{\"a\": 1, \"b\": 1, \"c\": 1}"],
            invalid: ["{\"a\": 1, \"b\": 1}", "{\"a\": 1, \"b\": 1, \"b\": 2}"]),
        KeywordCase(
            "minProperties, maxProperties (declared)",
            ##"{"type":"object","properties":{"a":{},"b":{},"c":{}},"additionalProperties":false,"minProperties":2,"maxProperties":2}"##,
            valid: ["{\"a\": 1, \"c\": 2}", "{\"b\": 1, \"a\": 2}"],
            invalid: ["{\"a\": 1}", "{\"a\": 1, \"b\": 2, \"c\": 3}"]),
        KeywordCase(
            "dependentRequired", ##"{"type":"object","properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}"##,
            valid: ["{}", "{\"b\": 1}", "{\"a\": 1, \"b\": 2}", "{\"b\": 1, \"a\": 2}"], invalid: ["{\"a\": 1}"]),
        KeywordCase(
            "dependentSchemas",
            ##"{"type":"object","properties":{"a":{},"b":{}},"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}}}}"##,
            valid: ["{\"b\": \"x\"}", "{\"a\": 1, \"b\": 2}"],
            invalid: ["{\"a\": 1, \"b\": \"x\"}", "{\"b\": \"x\", \"a\": 1}"]),
        KeywordCase(
            "dependencies",
            ##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","dependencies":{"a":["b"],"c":{"required":["d"]}}}"##,
            valid: ["{\"a\": 1, \"b\": 1}", "{\"c\": 1, \"d\": 1}", "{\"e\": 1}"],
            invalid: ["{\"a\": 1}", "{\"c\": 1}"]),
        KeywordCase(
            "unevaluatedProperties",
            ##"{"type":"object","allOf":[{"properties":{"a":{}}}],"properties":{"b":{}},"unevaluatedProperties":false}"##,
            valid: ["{\"a\": 1, \"b\": 2}", "{}"], invalid: ["{\"c\": 1}"]),
    ]

    static let applicators: [KeywordCase] = [
        KeywordCase(
            "allOf",
            ##"{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"a":{"minimum":3},"b":{"const":1}}}]}"##,
            valid: ["{\"a\": 3}", "{\"a\": 4, \"b\": 1}"],
            invalid: ["{\"a\": 2}", "{\"b\": 1}", "{\"a\": 3, \"b\": 2}"]),
        KeywordCase(
            "anyOf", ##"{"anyOf":[{"type":"integer"},{"type":"string","maxLength":1}]}"##, valid: ["1", "\"a\""],
            invalid: ["\"ab\"", "null"]),
        KeywordCase(
            "anyOf (objects)",
            ##"{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"##,
            valid: ["{\"a\": 1}", "{\"b\": {\"x\": [1]}}", "{\"a\": 1, \"b\": 2}"], invalid: ["{}", "{\"c\": 1}"]),
        KeywordCase(
            "oneOf (disjoint)",
            ##"{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"integer"}},"required":["k","x"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}"##,
            valid: ["{\"k\": \"a\", \"x\": 1}", "{\"k\": \"b\", \"x\": null}"],
            invalid: ["{\"k\": \"a\"}", "{\"k\": \"a\", \"x\": null}", "{\"k\": \"c\"}"]),
        KeywordCase(
            "oneOf (overlapping)", ##"{"oneOf":[{"type":"integer","minimum":3},{"type":"integer","multipleOf":2}]}"##,
            valid: ["3", "5", "2", "-4"], invalid: ["4", "1", "6"]),
        KeywordCase(
            "oneOf (overlapping objects)", ##"{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}"##,
            valid: ["{\"a\": 1}", "{\"b\": 1, \"c\": 2}"], invalid: ["{}", "{\"a\": 1, \"b\": 1}"]),
        KeywordCase(
            "not", ##"{"type":"string","not":{"enum":["a","b"]}}"##, valid: ["\"c\"", "\"ab\"", "\"\""],
            invalid: ["\"a\"", "\"b\""]),
        KeywordCase(
            "not (types)", ##"{"not":{"type":["object","array"]}}"##, valid: ["1", "\"a\"", "null"],
            invalid: ["{}", "[]"]),
        KeywordCase(
            "not (required)", ##"{"type":"object","properties":{"a":{}},"not":{"required":["a"]}}"##,
            valid: ["{}", "{\"b\": 1}"], invalid: ["{\"a\": 1}"]),
        KeywordCase(
            "not (additionalProperties)",
            ##"{"type":"object","not":{"properties":{"a":{}},"additionalProperties":false}}"##,
            valid: ["{\"b\": 1}", "{\"a\": 1, \"c\": 1}"], invalid: ["{}", "{\"a\": 1}"]),
        KeywordCase(
            "not (number interval)", ##"{"type":"integer","not":{"minimum":2,"maximum":4}}"##, valid: ["1", "5", "-3"],
            invalid: ["2", "3", "4"]),
        KeywordCase(
            "not (draft 4: integers)",
            ##"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","not":{"type":"integer"}}"##,
            valid: ["1.0", "0.5", "1e3"], invalid: ["1", "-20", "null"]),
        KeywordCase(
            "if, then, else",
            ##"{"type":"object","properties":{"k":{"enum":["a","b"]},"x":{"type":"integer"}},"required":["k"],"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"]},"else":{"properties":{"x":false}}}"##,
            valid: ["{\"k\": \"a\", \"x\": 1}", "{\"x\": 1, \"k\": \"a\"}", "{\"k\": \"b\"}"],
            invalid: ["{\"k\": \"a\"}", "{\"k\": \"b\", \"x\": 1}", "{\"x\": 1, \"k\": \"b\"}"]),
    ]

    static let references: [KeywordCase] = [
        KeywordCase(
            "$ref, $defs (recursive)",
            ##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["v"],"additionalProperties":false}}}"##,
            valid: ["{\"v\": 1}", "{\"v\": 1, \"kids\": [{\"v\": 2, \"kids\": []}]}"],
            invalid: ["{\"v\": 1, \"kids\": [{}]}", "{\"kids\": []}"]),
        KeywordCase(
            "$anchor", ##"{"properties":{"a":{"$ref":"#num"}},"$defs":{"x":{"$anchor":"num","type":"number"}}}"##,
            valid: ["{\"a\": 1.5}"], invalid: ["{\"a\": null}"]),
        KeywordCase(
            "$id",
            ##"{"$id":"https://example.com/root.json","properties":{"a":{"$ref":"item.json"}},"$defs":{"i":{"$id":"item.json","type":"boolean"}}}"##,
            valid: ["{\"a\": true}"], invalid: ["{\"a\": 1}"]),
        KeywordCase(
            "id (draft 4)",
            ##"{"$schema":"http://json-schema.org/draft-04/schema#","id":"https://example.com/root.json","properties":{"a":{"$ref":"item.json"}},"definitions":{"i":{"id":"item.json","type":"boolean"}}}"##,
            valid: ["{\"a\": true}"], invalid: ["{\"a\": 1}"]),
        KeywordCase(
            "$ref into an array, with siblings",
            ##"{"allOf":[{"$ref":"#/$defs/l/anyOf/1","maxLength":2}],"$defs":{"l":{"anyOf":[{"type":"null"},{"type":"string"}]}}}"##,
            valid: ["\"ab\""], invalid: ["null", "\"abc\""]),
        KeywordCase(
            "$ref siblings (draft 7: ignored)",
            ##"{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/s","maxLength":1,"definitions":{"s":{"type":"string"}}}"##,
            valid: ["\"abc\""], invalid: ["1"]),
        KeywordCase(
            "$dynamicRef, $dynamicAnchor",
            ##"{"$id":"https://example.com/r","properties":{"n":{"$ref":"numbers"},"l":{"$ref":"list"}},"$defs":{"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#item"},"$defs":{"item":{"$dynamicAnchor":"item"}}},"numbers":{"$id":"numbers","$ref":"list","$defs":{"item":{"$dynamicAnchor":"item","type":"number"}}}}}"##,
            valid: ["{\"n\": [1], \"l\": [\"a\", 1]}"], invalid: ["{\"n\": [\"a\"]}"]),
        KeywordCase(
            "$recursiveRef, $recursiveAnchor",
            ##"{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"https://example.com/r","$recursiveAnchor":true,"anyOf":[{"type":"null"},{"$ref":"map"}],"$defs":{"map":{"$id":"map","$recursiveAnchor":true,"type":"object","additionalProperties":{"$recursiveRef":"#"}}}}"##,
            valid: ["{\"a\": {\"b\": null}}"], invalid: ["{\"a\": {\"b\": 1}}"]),
        KeywordCase(
            "$ref to a standard meta-schema",
            ##"{"$ref":"https://json-schema.org/draft/2020-12/meta/applicator"}"##,
            valid: ["{\"properties\": {\"a\": {\"not\": true}}}"], invalid: ["{\"properties\": {\"a\": {\"not\": 1}}}"]),
        KeywordCase(
            "$schema (draft 4)",
            ##"{"$schema":"http://json-schema.org/draft-04/schema#","minimum":2,"const":1,"if":{},"then":false}"##,
            valid: ["2", "3"], invalid: ["1"]),
        KeywordCase(
            "$vocabulary",
            ##"{"$schema":"https://example.com/m","type":"null","not":{},"$defs":{"m":{"$id":"https://example.com/m","$vocabulary":{"https://json-schema.org/draft/2020-12/vocab/core":true,"https://json-schema.org/draft/2020-12/vocab/validation":true}}}}"##,
            valid: ["null"], invalid: ["1"]),
        KeywordCase(
            "definitions, escaped pointers",
            ##"{"properties":{"a":{"$ref":"#/definitions/x~1y%20z"}},"definitions":{"x/y z":{"type":"null"}}}"##,
            valid: ["{\"a\": null}"], invalid: ["{\"a\": 1}"]),
    ]
}
