package dev.leasehold.examples.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The dependency rules of lock-api/DESIGN.md, applicable to any table of parts, so that a test can
 * show that they detect violations.
 */
final class ArchitectureRules {
  private static final Set<String> ANNOTATIONS =
      Set.of("org.jspecify.annotations", "com.google.errorprone.annotations.concurrent");

  /** The methods of the JDK's synchronizers, such as acquire and release. */
  private static final Set<String> SYNCHRONIZING =
      Stream.of(AbstractQueuedSynchronizer.class, AbstractQueuedSynchronizer.class.getSuperclass())
          .flatMap(type -> Stream.of(type.getDeclaredMethods()))
          .map(Method::getName)
          .filter(name -> !name.equals("toString"))
          .collect(Collectors.toSet());

  private static final Map<String, String> JDK_MODULE_OF_PACKAGE =
      ModuleLayer.boot().modules().stream()
          .flatMap(m -> m.getPackages().stream().map(p -> Map.entry(p, m.getName())))
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

  private ArchitectureRules() {}

  /** A part uses itself, the parts and libraries listed in its row, and the row's JDK modules. */
  static ArchRule arrows(Part part) {
    return classes()
        .that(areIn(part))
        .should(
            new ArchCondition<>("use only what the table allows to " + part.folder()) {
              @Override
              public void check(JavaClass item, ConditionEvents events) {
                for (Dependency use : item.getDirectDependenciesFromSelf()) {
                  JavaClass target = use.getTargetClass().getBaseComponentType();
                  if (!target.isPrimitive() && !allows(part, target.getPackageName())) {
                    events.add(SimpleConditionEvent.violated(item, use.getDescription()));
                  }
                }
              }
            });
  }

  private static boolean allows(Part part, String packageName) {
    String jdkModule = JDK_MODULE_OF_PACKAGE.get(packageName);
    if (jdkModule != null) {
      return part.jdkModules().isEmpty() || part.jdkModules().contains(jdkModule);
    }
    return part.owns(packageName)
        || ANNOTATIONS.contains(packageName)
        || Stream.concat(part.parts().stream(), part.libraries().stream())
            .anyMatch(root -> Part.isUnder(packageName, root));
  }

  /** No cycles between parts. */
  static ArchRule noCycles(List<Part> parts) {
    return SlicesRuleDefinition.slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass item) {
                return parts.stream()
                    .filter(part -> part.owns(item.getPackageName()))
                    .findFirst()
                    .map(part -> SliceIdentifier.of(part.folder()))
                    .orElse(SliceIdentifier.ignore());
              }

              @Override
              public String getDescription() {
                return "the modules";
              }
            })
        .should()
        .beFreeOfCycles();
  }

  /** A package named internal, and all below it, is only used by classes of its own part. */
  static ArchRule internalsStayInside(Part part) {
    return noClasses()
        .that(describe("are outside " + part.folder(), c -> !part.owns(c.getPackageName())))
        .should()
        .dependOnClassesThat(
            describe(
                "are internal to " + part.folder(),
                c ->
                    part.owns(c.getPackageName())
                        && (c.getPackageName() + ".").contains(".internal.")));
  }

  /** A part's visible signatures name no client type, unless the part is for that client. */
  static ArchRule noClientTypesInSignatures(Part part, Set<String> clients) {
    Set<String> foreign =
        clients.stream()
            .filter(client -> !part.libraries().contains(client))
            .collect(Collectors.toSet());
    return classes()
        .that(areIn(part))
        .should(
            new ArchCondition<>("name no client type of another part in a signature") {
              @Override
              public void check(JavaClass item, ConditionEvents events) {
                signatureOf(item)
                    .filter(
                        type ->
                            foreign.stream()
                                .anyMatch(root -> Part.isUnder(type.getPackageName(), root)))
                    .map(JavaClass::getName)
                    .distinct()
                    .forEach(
                        type ->
                            events.add(
                                SimpleConditionEvent.violated(
                                    item, item.getName() + " names " + type)));
              }
            });
  }

  private static Stream<JavaClass> signatureOf(JavaClass item) {
    if (!isVisible(item.getModifiers())) {
      return Stream.empty();
    }
    Stream<JavaType> parents =
        Stream.concat(item.getSuperclass().stream(), item.getInterfaces().stream());
    Stream<JavaType> fields =
        item.getFields().stream()
            .filter(ArchitectureRules::isVisibleMember)
            .map(JavaField::getType);
    Stream<JavaType> methods =
        item.getCodeUnits().stream()
            .filter(ArchitectureRules::isVisibleMember)
            .flatMap(ArchitectureRules::typesOf);
    return Stream.of(parents, fields, methods)
        .flatMap(types -> types)
        .map(JavaType::getAllInvolvedRawTypes)
        .flatMap(Collection::stream)
        .map(JavaClass::getBaseComponentType);
  }

  private static Stream<JavaType> typesOf(JavaCodeUnit method) {
    return Stream.of(
            Stream.of(method.getReturnType()),
            method.getParameterTypes().stream(),
            method.getExceptionTypes().stream())
        .flatMap(types -> types);
  }

  private static boolean isVisibleMember(JavaMember member) {
    return isVisible(member.getModifiers());
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  /** Time is read through the injected ticker; only the named class may ask the system for it. */
  static ArchRule timeOnlyThrough(String clockClass, Part part) {
    return noClasses()
        .that(areIn(part))
        .and(
            describe(
                "are not " + clockClass,
                c -> !c.getName().equals(clockClass) && !c.getName().startsWith(clockClass + "$")))
        .should()
        .accessTargetWhere(
            describe("it asks the system for the time", ArchitectureRules::asksForTheTime));
  }

  private static boolean asksForTheTime(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getTarget().getName();
    return switch (owner) {
      case "java.lang.System" -> name.equals("nanoTime") || name.equals("currentTimeMillis");
      case "java.util.Date" -> name.equals("<init>");
      case "java.time.Clock" -> name.startsWith("system") || name.startsWith("tick");
      default -> owner.startsWith("java.time.") && name.equals("now");
    };
  }

  /**
   * Nothing runs on the common pool by default: it may have a single thread, and JDKs differ in
   * whether a future then uses it.
   */
  static ArchRule executorsAreNamed(Part part) {
    return noClasses()
        .that(areIn(part))
        .should()
        .accessTargetWhere(
            describe("it leaves the executor to chance", ArchitectureRules::hasNoExecutor));
  }

  private static boolean hasNoExecutor(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    return owner.startsWith("java.util.concurrent.Complet")
        && access.getTarget().getName().endsWith("Async")
        && access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream().noneMatch(p -> p.isEquivalentTo(Executor.class));
  }

  /** The SPI does not depend on the engine. */
  static ArchRule independent(String from, String of) {
    return noClasses()
        .that()
        .resideInAPackage(from + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(of + "..");
  }

  /** As {@link #independent}, for one package without its subpackages. */
  static ArchRule packageIndependent(String from, String of) {
    return noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(of);
  }

  /** Below a root, only one package uses classes below another root. */
  static ArchRule onlyIn(String home, String root, String foreign) {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        .resideOutsideOfPackage(home)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(foreign + "..");
  }

  /**
   * A mutex that extends {@link AbstractQueuedSynchronizer} inherits its public methods, such as
   * {@code acquire} and {@code release}. Only the mutex itself may call them: a call from elsewhere
   * would enter or leave it without the steps that belong to that.
   */
  static ArchRule onlyItselfSynchronizes(String mutex) {
    return noClasses()
        .that(describe("are not " + mutex, c -> !c.getName().equals(mutex)))
        .should()
        .accessTargetWhere(
            describe(
                "it calls a method of AbstractQueuedSynchronizer on a " + mutex,
                access -> isInheritedBy(mutex, access)));
  }

  private static boolean isInheritedBy(String mutex, JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    return owner.isEquivalentTo(AbstractQueuedSynchronizer.class)
        || (owner.isAssignableTo(mutex) && SYNCHRONIZING.contains(access.getTarget().getName()));
  }

  private static DescribedPredicate<JavaClass> areIn(Part part) {
    return describe("are in " + part.folder(), c -> part.owns(c.getPackageName()));
  }
}
