; HCL: blocks go by their last label, or by their kind where they have none.

(block (string_lit (template_literal) @name) . (block_start) @body) @definition.section
(block . (identifier) @name . (block_start) @body) @definition.section
(block
  . (identifier) @_kind
  (body (attribute . (identifier) @name))
  (#eq? @_kind "locals")
  (#set! narrow)) @definition.variable
