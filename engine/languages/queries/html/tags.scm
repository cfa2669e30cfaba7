; HTML: headings, and elements with an id.

(element
  . (start_tag (tag_name) @_tag)
  . (text) @name
  (#any-of? @_tag "h1" "h2" "h3" "h4" "title")) @definition.section
(element
  (start_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @name)))
  (#eq? @_attribute "id")) @definition.section
(element
  (self_closing_tag
    (attribute (attribute_name) @_attribute (quoted_attribute_value (attribute_value) @name)))
  (#eq? @_attribute "id")) @definition.section
