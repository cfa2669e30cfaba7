; TOML: tables, and keys.

(table . [(bare_key) (dotted_key) (quoted_key)] @name) @definition.section
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @definition.section
(pair . [(bare_key) (dotted_key) (quoted_key)] @name (#set! shallow)) @definition.section
