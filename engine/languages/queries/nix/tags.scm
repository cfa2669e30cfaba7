; Nix: what is bound.

(binding attrpath: (attrpath) @name expression: (function_expression)) @definition.function
(binding attrpath: (attrpath) @name (#set! shallow)) @definition.section
