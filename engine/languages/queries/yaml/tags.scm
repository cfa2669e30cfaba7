; YAML: the keys of the two topmost levels.

(block_mapping_pair
  key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)
  (#set! shallow)) @definition.section
