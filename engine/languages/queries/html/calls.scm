; HTML: what is used.

(script_element
  (start_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @name)))
  (#eq? @_attribute "src")) @reference.import
