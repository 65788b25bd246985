package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.testkit.rules.Environment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** One test of a rule. Immutable. */
public final class RuleCase {
  private final RuleText rule;
  private final Rule mark;
  private final Method method;

  private RuleCase(RuleText rule, Rule mark, Method method) {
    this.rule = rule;
    this.mark = mark;
    this.method = method;
  }

  /**
   * The tests in some classes, in the specification's order.
   *
   * @throws IllegalArgumentException if a test's rule is not in the specification
   */
  static List<RuleCase> in(List<Class<?>> themes) {
    List<RuleCase> found = new ArrayList<>();
    for (Class<?> theme : themes) {
      for (Method method : theme.getDeclaredMethods()) {
        Rule mark = method.getAnnotation(Rule.class);
        if (mark != null) {
          RuleText rule =
              Specification.rule(mark.value())
                  .orElseThrow(
                      () -> new IllegalArgumentException(method + ": no such rule in SPEC.md"));
          found.add(new RuleCase(rule, mark, method));
        }
      }
    }
    found.sort(
        Comparator.<RuleCase>comparingInt(c -> Specification.rules().indexOf(c.rule))
            .thenComparing(c -> c.mark.shows())
            .thenComparing(c -> c.method.getName()));
    return List.copyOf(found);
  }

  /** The rule that it tests. */
  public RuleText rule() {
    return rule;
  }

  /** Which case of the rule; empty if there is only one. */
  public String shows() {
    return mark.shows();
  }

  /** The class with the test. */
  Class<?> themeClass() {
    return method.getDeclaringClass();
  }

  /** What the test needs. */
  public List<Need> needs() {
    return List.of(mark.needs());
  }

  /** Guarantees that a manager must declare: the rule's and those of this case. */
  public List<Guarantee> guarantees() {
    List<Guarantee> all = new ArrayList<>(rule.guarantees());
    all.addAll(Arrays.asList(mark.also()));
    return all;
  }

  /** Whether no other test may run in this JVM at the same time. */
  boolean isAlone() {
    return mark.alone();
  }

  /** Whether a failure during a pause of this JVM proves nothing. */
  boolean isTimed() {
    return mark.timed();
  }

  /** The rule's number and sentence, and the case. */
  public String displayName() {
    return rule.id() + " " + rule.sentence() + (shows().isEmpty() ? "" : " (" + shows() + ")");
  }

  /** Runs the test; throws any exception of the test. */
  void run(Bench bench) throws Throwable {
    try {
      var constructor = method.getDeclaringClass().getDeclaredConstructor();
      constructor.setAccessible(true);
      method.setAccessible(true);
      Object theme = constructor.newInstance();
      if (theme instanceof Environment rules) {
        rules.begin(bench);
        method.invoke(theme);
      } else {
        method.invoke(theme, bench);
      }
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    } catch (ReflectiveOperationException e) {
      throw new UndeclaredThrowableException(e, method + " can't be called");
    }
  }

  @Override
  public String toString() {
    return displayName();
  }
}
