; Nix: what is used.

(apply_expression function: [
  (variable_expression name: (identifier) @name)
  (select_expression attrpath: (attrpath attr: (identifier) @name .))
]) @reference.call
(inherit attrs: (inherited_attrs attr: (identifier) @name)) @reference.import
(inherit_from attrs: (inherited_attrs attr: (identifier) @name)) @reference.import
