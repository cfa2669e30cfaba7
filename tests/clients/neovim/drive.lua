-- Neovim as a client of `seekwell lsp`: asks what an editor asks, for a small project, and compares the answers.
-- Run by tests/tests/lsp.rs where there is an `nvim`; by hand:
--   SEEKWELL_BINARY=… nvim --headless -u NONE -c 'luafile tests/clients/neovim/drive.lua'
-- It speaks with the server through Neovim's own client, in the form that version 0.7 has and later ones keep.

local root = vim.fn.tempname()

local function write(path, lines)
  local full = root .. '/' .. path
  vim.fn.mkdir(vim.fn.fnamemodify(full, ':h'), 'p')
  vim.fn.writefile(lines, full)
  return full
end

local function fail(why)
  io.stderr:write('neovim: ' .. why .. '\n')
  vim.cmd('cquit 1')
end

local function same(what, expected, found)
  if not vim.deep_equal(expected, found) then
    error(what .. ': expected ' .. vim.inspect(expected) .. ', found ' .. vim.inspect(found))
  end
end

local function run()
  write('src/pause.rs', { '/// Waits for a while: 😀.', 'pub fn pause(seconds: u64) {', '    let _ = seconds;', '}' })
  local main = write('src/main.rs', {
    'mod pause;',
    '',
    'fn main() {',
    '    let _ = "😀"; pause::pause(3);',
    '}',
  })
  local client = vim.lsp.start_client({
    name = 'seekwell',
    cmd = { os.getenv('SEEKWELL_BINARY') or 'seekwell', 'lsp' },
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = 'sample' } },
  })
  assert(client, 'the server does not start')
  vim.cmd('edit ' .. vim.fn.fnameescape(main))
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].filetype = 'rust'
  assert(vim.lsp.buf_attach_client(buffer, client), 'the buffer is not attached')
  assert(
    vim.wait(60000, function() return vim.lsp.get_client_by_id(client).initialized end, 20),
    'the server was not initialized'
  )

  local function ask(method, params)
    local answers, why = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    local answer = answers and answers[client]
    if not answer or answer.err or answer.result == nil or answer.result == vim.NIL then
      error(method .. ': ' .. vim.inspect(answer or why))
    end
    return answer.result
  end

  -- Where the cursor is, as the editor counts: the emoji before it is one character, four bytes and two units.
  local function on(line, text)
    local column = vim.fn.getline(line):find(text, 1, true) - 1
    vim.api.nvim_win_set_cursor(0, { line, column })
    return vim.lsp.util.make_position_params(0, vim.lsp.get_client_by_id(client).offset_encoding)
  end

  local function places(locations)
    local list = vim.tbl_islist(locations) and locations or { locations }
    local found = {}
    for _, place in ipairs(list) do
      local range = place.targetSelectionRange or place.range
      local path = vim.uri_to_fname(place.targetUri or place.uri)
      table.insert(found, vim.fn.fnamemodify(path, ':t') .. ':' .. range.start.line + 1 .. ':' .. range.start.character)
    end
    table.sort(found)
    return found
  end

  local use = on(4, 'pause(3)')
  same('definition', { 'pause.rs:2:7' }, places(ask('textDocument/definition', use)))
  local references = vim.tbl_extend('force', use, { context = { includeDeclaration = true } })
  same('references', { 'main.rs:4:25', 'pause.rs:2:7' }, places(ask('textDocument/references', references)))
  local hover = ask('textDocument/hover', use)
  local lines = table.concat(vim.lsp.util.convert_input_to_markdown_lines(hover.contents), '\n')
  assert(lines:find('pub fn pause(seconds: u64)', 1, true) and lines:find('Waits for a while: 😀.', 1, true), lines)
  local symbols = ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() })
  local names = vim.tbl_map(function(item) return item.text end, vim.lsp.util.symbols_to_items(symbols, buffer))
  assert(vim.tbl_contains(names, '[Function] main'), vim.inspect(names))
  local everywhere = ask('workspace/symbol', { query = 'pau' })
  assert(vim.tbl_contains(vim.tbl_map(function(symbol) return symbol.name end, everywhere), 'pause'), vim.inspect(everywhere))

  -- What is typed and not saved counts at once, and columns after the emoji stay right.
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { '// 😀 one line more', 'fn typed() {}' })
  vim.api.nvim_buf_set_lines(buffer, 6, 6, false, { '    /* 😀 */ typed();' })
  same('definition of what was typed', { 'main.rs:2:3' }, places(ask('textDocument/definition', on(7, 'typed()'))))
  same('definition below it', { 'pause.rs:2:7' }, places(ask('textDocument/definition', on(6, 'pause(3)'))))

  vim.lsp.stop_client(client)
  assert(vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 20), 'the server does not end')
end

local ok, why = xpcall(run, debug.traceback)
vim.fn.delete(root, 'rf')
if ok then
  io.stdout:write('neovim: all answers are right\n')
  vim.cmd('qall!')
else
  fail(tostring(why))
end
