// Definitions and uses of a Go module by go/types, for judge.py: `go run go_uses.go MODULE-FOLDER`.
// Packages that are not of the module are not read; what depends on them stays unknown, and is left out.
package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

type loader struct {
	fset   *token.FileSet
	root   string
	module string
	std    types.Importer
	done   map[string]*types.Package
	info   *types.Info
}

func (l *loader) Import(path string) (*types.Package, error) {
	if p, ok := l.done[path]; ok {
		return p, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.load(path, false)
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		return l.std.Import(path)
	}
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	l.done[path] = p
	return p, nil
}

func (l *loader) load(path string, tests bool) (*types.Package, error) {
	dir := filepath.Join(l.root, strings.TrimPrefix(path, l.module))
	packages, err := parser.ParseDir(l.fset, dir, func(f os.FileInfo) bool {
		return tests || !strings.HasSuffix(f.Name(), "_test.go")
	}, 0)
	if err != nil {
		return nil, err
	}
	var result *types.Package
	for name, p := range packages {
		var files []*ast.File
		for _, f := range p.Files {
			files = append(files, f)
		}
		config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
		checked, _ := config.Check(path, l.fset, files, l.info)
		if !strings.HasSuffix(name, "_test") && name != "main" || result == nil {
			result = checked
		}
	}
	if !tests {
		l.done[path] = result
	}
	return result, nil
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module := strings.Fields(string(mod))[1]
	fset := token.NewFileSet()
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	l := &loader{fset, root, module, importer.ForCompiler(fset, "source", nil), map[string]*types.Package{}, info}
	filepath.Walk(root, func(path string, f os.FileInfo, err error) error {
		if err == nil && f.IsDir() && !strings.HasPrefix(f.Name(), ".") && f.Name() != "testdata" {
			rest, _ := filepath.Rel(root, path)
			name := module
			if rest != "." {
				name += "/" + filepath.ToSlash(rest)
			}
			l.load(name, true)
		}
		return nil
	})
	place := func(p token.Pos) (string, int, int) {
		at := fset.Position(p)
		rest, err := filepath.Rel(root, at.Filename)
		if err != nil || strings.HasPrefix(rest, "..") {
			return "-", 0, 0
		}
		return filepath.ToSlash(rest), at.Line, at.Column
	}
	kind := func(o types.Object) string {
		switch o.(type) {
		case *types.Func:
			return "function"
		case *types.TypeName:
			return "type"
		}
		return "other"
	}
	seen := map[string]bool{}
	out := func(line string) {
		if !seen[line] {
			seen[line] = true
			fmt.Println(line)
		}
	}
	for id, o := range info.Defs {
		if o == nil || kind(o) == "other" {
			continue
		}
		if path, line, _ := place(id.Pos()); path != "-" {
			out(fmt.Sprintf("def\t%s\t%d\t%s\t%s", path, line, id.Name, kind(o)))
		}
	}
	for id, o := range info.Uses {
		if kind(o) == "other" {
			continue
		}
		path, line, column := place(id.Pos())
		to, at, _ := place(o.Pos())
		if !o.Pos().IsValid() {
			to, at = "-", 0
		}
		out(fmt.Sprintf("use\t%s\t%d\t%d\t%s\t%d\t%s", path, line, column, to, at, kind(o)))
	}
}
