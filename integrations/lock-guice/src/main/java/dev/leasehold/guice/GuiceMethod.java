package dev.leasehold.guice;

import com.google.inject.BindingAnnotation;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.spi.Framework;
import dev.leasehold.methods.spi.MemberTypes;
import dev.leasehold.methods.spi.MethodLock;
import jakarta.inject.Qualifier;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A {@link dev.leasehold.methods.Locked} method and the injector's manager that it uses.
 *
 * @param manager the manager's key, including the qualifier on the method
 */
record GuiceMethod(MethodLock.Checked locked, Key<LockManager> manager) {

  /** Guice, as named in messages. */
  static final Framework GUICE =
      new Framework() {
        @Override
        public String name() {
          return "Guice";
        }

        @Override
        public Optional<String> cannotIntercept(Class<?> made, Method method) {
          return Modifier.isPrivate(made.getModifiers())
              ? Optional.of(made.getName() + " is private")
              : Optional.empty();
        }
      };

  /**
   * Reads the annotations of a method.
   *
   * @param type the class that is injected
   * @param problems receives the problems
   * @return empty if there are problems
   */
  static Optional<GuiceMethod> of(TypeLiteral<?> type, Method method, List<String> problems) {
    List<Annotation> qualifiers =
        Arrays.stream(method.getAnnotations()).filter(GuiceMethod::isQualifier).toList();
    Optional<MethodLock.Checked> locked =
        MethodLock.of(MemberTypes.of(type.getType()), method, GUICE, problems);
    if (qualifiers.size() > 1) {
      problems.add(
          MethodLock.describe(method)
              + ": it has several qualifiers, and one manager is wanted: "
              + qualifiers);
      return Optional.empty();
    }
    Key<LockManager> manager =
        qualifiers.isEmpty()
            ? Key.get(LockManager.class)
            : Key.get(LockManager.class, qualifiers.get(0));
    return locked.map(checked -> new GuiceMethod(checked, manager));
  }

  private static boolean isQualifier(Annotation annotation) {
    Class<? extends Annotation> type = annotation.annotationType();
    return type.isAnnotationPresent(Qualifier.class)
        || type.isAnnotationPresent(BindingAnnotation.class);
  }
}
