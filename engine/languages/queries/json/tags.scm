; JSON: the keys of the two topmost levels.

(pair key: (string (string_content) @name) (#set! shallow)) @definition.section
