; CSS: rules go by their selectors.

(rule_set (selectors) @name (block) @body) @definition.section
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.section
(media_statement "@media" @name (block) @body) @definition.section
