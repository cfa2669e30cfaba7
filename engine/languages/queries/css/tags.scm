; CSS: rules go by the first of their selectors.

(rule_set (selectors . (_) @name) (block) @body) @definition.section
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.section
(media_statement . (_) @name (block) @body) @definition.section
