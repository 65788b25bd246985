package dev.leasehold.examples.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import dev.leasehold.examples.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java file, parsed but not compiled, and the checks of the house rules on it. */
final class SourceFile {
  /** Each file is read once, however many rules check it. */
  private static final Map<String, List<SourceFile>> READ = new ConcurrentHashMap<>();

  private final String name;
  private final CompilationUnitTree unit;
  private final DocTrees trees;

  private SourceFile(CompilationUnitTree unit, DocTrees trees) {
    this.name = unit.getSourceFile().toUri().getPath().substring(1);
    this.unit = unit;
    this.trees = trees;
  }

  /** The main source files of a module. */
  static List<SourceFile> of(String module) {
    return READ.computeIfAbsent(
        module, m -> parse(Repository.mainSources(m).stream().map(Text::read).toList()));
  }

  static SourceFile of(String name, String text) {
    return parse(List.of(new Text(name, text))).get(0);
  }

  /** Parses with one compiler, since creating one costs more than parsing a file. */
  private static List<SourceFile> parse(List<Text> sources) {
    if (sources.isEmpty()) {
      return List.of();
    }
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, List.of("-proc:none"), null, sources);
    DocTrees trees = DocTrees.instance(task);
    List<SourceFile> found = new ArrayList<>();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        found.add(new SourceFile(unit, trees));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** The source given to the compiler. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String name, String text) {
      super(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    static Text read(Path file) {
      try {
        return new Text(Repository.root().relativize(file).toString(), Files.readString(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  String name() {
    return name;
  }

  /** The uses of {@code synchronized}, on blocks or methods. */
  List<String> monitors() {
    List<String> found = new ArrayList<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitSynchronized(SynchronizedTree tree, Void nothing) {
        found.add(at(tree) + " has a synchronized block");
        return super.visitSynchronized(tree, nothing);
      }

      @Override
      public Void visitMethod(MethodTree tree, Void nothing) {
        if (tree.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
          found.add(at(tree) + " " + tree.getName() + " is synchronized");
        }
        return super.visitMethod(tree, nothing);
      }
    }.scan(unit, null);
    return found;
  }

  /**
   * The public and protected declarations without a comment. Overriding methods inherit theirs. In
   * a package named internal only types need one, since only the engine uses their members.
   */
  List<String> withoutComment() {
    List<String> found = new ArrayList<>();
    for (Tree type : unit.getTypeDecls()) {
      if (type instanceof ClassTree c) {
        check(new TreePath(new TreePath(unit), c), Visibility.EXPLICIT, found);
      }
    }
    return found;
  }

  private enum Visibility {
    /** Members have the visibility they declare. */
    EXPLICIT,
    /** Members of an interface and constants of an enum are implicitly public. */
    IMPLIED
  }

  private void check(TreePath path, Visibility visibility, List<String> found) {
    ClassTree type = (ClassTree) path.getLeaf();
    if (!isVisible(type.getModifiers(), visibility)) {
      return;
    }
    require(path, type.getSimpleName().toString(), found);
    Visibility inside =
        type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE
            ? Visibility.IMPLIED
            : Visibility.EXPLICIT;
    if (isInternal()) {
      return;
    }
    for (Tree member : type.getMembers()) {
      TreePath memberPath = new TreePath(path, member);
      if (member instanceof ClassTree) {
        check(memberPath, inside, found);
      } else if (member instanceof MethodTree method) {
        if (isVisible(method.getModifiers(), inside)
            && !isOverride(method)
            && !isRecordConstructor(type, method)) {
          require(memberPath, type.getSimpleName() + "." + method.getName(), found);
        }
      } else if (member instanceof VariableTree field) {
        if (isVisible(field.getModifiers(), inside)
            && !field.getName().contentEquals("serialVersionUID")) {
          require(memberPath, type.getSimpleName() + "." + field.getName(), found);
        }
      }
    }
  }

  private void require(TreePath path, String what, List<String> found) {
    String comment = trees.getDocComment(path);
    if (comment == null || comment.isBlank()) {
      found.add(at(path.getLeaf()) + " " + what + " has no comment");
    }
  }

  private boolean isInternal() {
    return unit.getPackageName() != null && (unit.getPackageName() + ".").contains(".internal.");
  }

  private static boolean isVisible(ModifiersTree modifiers, Visibility visibility) {
    Set<Modifier> flags = modifiers.getFlags();
    return flags.contains(Modifier.PUBLIC)
        || flags.contains(Modifier.PROTECTED)
        || (visibility == Visibility.IMPLIED && !flags.contains(Modifier.PRIVATE));
  }

  private static boolean isOverride(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(a -> a.getAnnotationType().toString().endsWith("Override"));
  }

  /** Its parameters are documented by the record's own comment. */
  private static boolean isRecordConstructor(ClassTree type, MethodTree method) {
    return type.getKind() == Tree.Kind.RECORD && method.getName().contentEquals("<init>");
  }

  private String at(Tree tree) {
    long position = trees.getSourcePositions().getStartPosition(unit, tree);
    return name + ":" + (position < 0 ? 1 : unit.getLineMap().getLineNumber(position));
  }
}
