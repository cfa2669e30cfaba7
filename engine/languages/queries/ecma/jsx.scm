; Components in JSX.

(jsx_opening_element name: [
  (identifier) @name
  (member_expression property: (property_identifier) @name)
]) @reference.call
(jsx_self_closing_element name: [
  (identifier) @name
  (member_expression property: (property_identifier) @name)
]) @reference.call
(jsx_attribute (jsx_expression (identifier) @name)) @reference.value
