package dev.leasehold.examples.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.examples.Repository;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records for users show all parts, names in one line, durations as settings do")
class RecordsTest {
  private static final Pattern RECORD =
      Pattern.compile(
          "(?s)\\npublic (final |sealed |abstract )*(class|interface|record) .*\\brecord [A-Z]|\\npublic record ");
  private static final Pattern JAVAS = Pattern.compile("\\bPT\\d");
  private static final String API = "dev.leasehold.lock";
  private static final String SPI = API + ".spi";
  private static final String KIT = "dev.leasehold.testkit";
  private static final Path JAVA = Path.of("src/main/java");

  /** Settings whose text is a sentence. */
  private static final Set<Class<?>> SENTENCES = Set.of(HandOver.class, WaitStrategy.class);

  /** With Java's default toString. */
  record Plain(Duration waited, Optional<Duration> longest, String lockName) {}

  /** With a hand-written toString that misses a component. */
  record Forgetful(String name, int node) {
    @Override
    public String toString() {
      return "Forgetful[lockName=" + name + ", node=" + node + "]";
    }
  }

  /** The records of all modules except the lab's, found by their sources. */
  private static List<Class<?>> records() throws Exception {
    List<Class<?>> all = new ArrayList<>();
    for (String module : Repository.modules()) {
      Path root = Repository.folder(module).resolve(JAVA);
      if (root.startsWith(Repository.root().resolve("lab"))) {
        continue;
      }
      for (Path file : Repository.mainSources(module)) {
        if (RECORD.matcher(Files.readString(file)).find() && isExported(root, file)) {
          String name = root.relativize(file).toString().replace('/', '.').replace(".java", "");
          visible(Class.forName(name, false, RecordsTest.class.getClassLoader()))
              .filter(Class::isRecord)
              .filter(RecordsTest::isAsked)
              .forEach(all::add);
        }
      }
    }
    return all;
  }

  private static boolean isExported(Path root, Path file) throws IOException {
    Path descriptor = root.resolve("module-info.java");
    String name = root.relativize(file.getParent()).toString().replace('/', '.');
    return !Files.exists(descriptor)
        || Files.readString(descriptor).contains("exports " + name + ";");
  }

  private static Stream<Class<?>> visible(Class<?> type) {
    return Modifier.isPublic(type.getModifiers())
        ? Stream.concat(
            Stream.of(type), Stream.of(type.getDeclaredClasses()).flatMap(RecordsTest::visible))
        : Stream.empty();
  }

  /** The problems of its text. */
  private static List<String> wrong(Class<?> type) throws ReflectiveOperationException {
    String text = Samples.of(type).toString();
    List<String> found = new ArrayList<>();
    if (JAVAS.matcher(text).find()) {
      found.add(type.getName() + " writes a duration as Java does: " + text);
    }
    if (type.getPackageName().equals(API) && text.lines().count() > 1) {
      found.add(type.getName() + " writes a name in two lines: " + text);
    }
    for (RecordComponent component : type.getRecordComponents()) {
      String named = component.getName() + "=";
      if (!SENTENCES.contains(type) && !text.contains("[" + named) && !text.contains(" " + named)) {
        found.add(type.getName() + " leaves out " + component.getName() + ": " + text);
      }
    }
    return found;
  }

  /**
   * Whether a record for applications contains a duration or text. Records of the SPI and the kit
   * are for authors of stores and tests, and keep Java's default toString.
   */
  private static boolean isAsked(Class<?> type) {
    if (type.getPackageName().startsWith(SPI) || type.getPackageName().startsWith(KIT)) {
      return false;
    }
    return Stream.of(type.getRecordComponents())
            .anyMatch(each -> each.getGenericType().getTypeName().contains("java.time.Duration"))
        || type.getPackageName().equals(API)
            && Stream.of(type.getRecordComponents())
                .map(RecordComponent::getType)
                .anyMatch(each -> each == String.class || each.isRecord());
  }

  @Test
  @DisplayName("in all of them")
  void all() throws Exception {
    List<String> found = new ArrayList<>();
    List<Class<?>> records = records();
    for (Class<?> type : records) {
      found.addAll(wrong(type));
    }
    assertEquals(List.of(), found);
    assertTrue(records.size() >= 20, () -> records.size() + " records");
  }

  @Test
  @DisplayName("A request to a store shows its lock's name in one line, too")
  void requests() throws Exception {
    for (Class<?> type : List.of(LeaseKey.class, AcquireRequest.class, RenewRequest.class)) {
      String text = Samples.of(type).toString();
      assertTrue(text.contains("name='a\\nb'") && text.lines().count() == 1, text);
    }
  }

  @Test
  @DisplayName("and this test finds one that does not")
  void canFail() throws Exception {
    assertEquals(1, wrong(Plain.class).size());
    assertTrue(Samples.of(Plain.class).toString().contains("PT1.5S"));
    assertEquals(1, wrong(Forgetful.class).size());
  }
}
