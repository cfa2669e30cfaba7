// Definitions and uses of Java sources by javac itself, for judge.py:
// `java JavaUses.java TREE SOURCE-FOLDER`. Classes that are not there stay unknown, and are left out.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class JavaUses {
    static Path root;
    static final Set<String> lines = new LinkedHashSet<>();

    public static void main(String[] args) throws IOException {
        root = Path.of(args[0]).toRealPath();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(Path.of(args[1]).toRealPath())) {
            files = walk.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).collect(Collectors.toList());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) new Scanner(trees, unit).scan(unit, null);
        lines.forEach(System.out::println);
    }

    static class Scanner extends TreePathScanner<Void, Void> {
        final Trees trees;
        final CompilationUnitTree unit;
        final String text;

        Scanner(Trees trees, CompilationUnitTree unit) {
            this.trees = trees;
            this.unit = unit;
            try {
                this.text = unit.getSourceFile().getCharContent(true).toString();
            } catch (IOException e) {
                throw new RuntimeException(e);
            }
        }

        String path(CompilationUnitTree of) {
            return root.relativize(Path.of(of.getSourceFile().toUri())).toString();
        }

        // Where the name of a declaration stands: its first occurrence as a word behind its modifiers.
        long nameAt(CompilationUnitTree of, Tree tree, String name, long from) {
            try {
                String text = of.getSourceFile().getCharContent(true).toString();
                java.util.regex.Matcher m = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
                return m.find((int) from) ? m.start() : -1;
            } catch (IOException e) {
                return -1;
            }
        }

        long declared(TreePath of) {
            Tree tree = of.getLeaf();
            SourcePositions places = trees.getSourcePositions();
            CompilationUnitTree unit = of.getCompilationUnit();
            if (tree instanceof MethodTree m) {
                Tree before = m.getReturnType() != null ? m.getReturnType() : m.getModifiers();
                long from = Math.max(places.getEndPosition(unit, before), places.getStartPosition(unit, tree));
                String name = m.getName().contentEquals("<init>") ? ((ClassTree) of.getParentPath().getLeaf()).getSimpleName().toString() : m.getName().toString();
                return nameAt(unit, tree, name, from);
            }
            if (tree instanceof ClassTree c && c.getSimpleName().length() > 0) {
                long from = Math.max(places.getEndPosition(unit, c.getModifiers()), places.getStartPosition(unit, tree));
                return nameAt(unit, tree, c.getSimpleName().toString(), from);
            }
            return -1;
        }

        void definition(String name, String kind) {
            long at = declared(getCurrentPath());
            if (at >= 0) lines.add("def\t" + path(unit) + "\t" + unit.getLineMap().getLineNumber(at) + "\t" + name + "\t" + kind);
        }

        void use(long at, String kind) {
            Element to = trees.getElement(getCurrentPath());
            if (at < 0 || to == null) return;
            TreePath of = trees.getPath(to);
            String target = "-\t0";
            if (of != null) {
                long line = declared(of);
                if (line < 0) return;
                target = path(of.getCompilationUnit()) + "\t" + of.getCompilationUnit().getLineMap().getLineNumber(line);
            }
            LineMap map = unit.getLineMap();
            long line = map.getLineNumber(at);
            long column = at - map.getStartPosition(line) + 1;
            lines.add("use\t" + path(unit) + "\t" + line + "\t" + column + "\t" + target + "\t" + kind);
        }

        @Override public Void visitMethod(MethodTree tree, Void v) {
            if (trees.getSourcePositions().getEndPosition(unit, tree) >= 0 && !tree.getName().contentEquals("<init>")) definition(tree.getName().toString(), "function");
            return super.visitMethod(tree, v);
        }

        @Override public Void visitClass(ClassTree tree, Void v) {
            if (tree.getSimpleName().length() > 0) definition(tree.getSimpleName().toString(), "type");
            return super.visitClass(tree, v);
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree tree, Void v) {
            ExpressionTree select = tree.getMethodSelect();
            long end = trees.getSourcePositions().getEndPosition(unit, select);
            String name = select instanceof MemberSelectTree m ? m.getIdentifier().toString() : select.toString();
            if (!name.equals("super") && !name.equals("this")) use(end - name.length(), "function");
            return super.visitMethodInvocation(tree, v);
        }
    }
}
