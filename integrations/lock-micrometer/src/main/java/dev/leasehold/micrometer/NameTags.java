package dev.leasehold.micrometer;

import dev.leasehold.lock.spi.Quoted;
import io.micrometer.core.instrument.Tags;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lock names, or patterns of them, as tag values, up to a limit. Thread-safe. */
final class NameTags {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.micrometer");
  private static final int MOST = 10_000;
  private static final int MOST_PATTERNS = 100;

  /** No tags. */
  static final NameTags NONE = new NameTags(UnaryOperator.identity(), 0, List.of(Tags.empty()));

  private final UnaryOperator<String> tag;
  private final Set<String> values = ConcurrentHashMap.newKeySet();
  private final Semaphore free;
  private final boolean none;
  private final int most;
  private final List<Tags> known;
  private final AtomicBoolean told = new AtomicBoolean();

  private NameTags(UnaryOperator<String> tag, int most, List<Tags> known) {
    this.tag = Objects.requireNonNull(tag, "tag");
    this.free = new Semaphore(most);
    this.none = most == 0;
    this.most = most;
    this.known = known;
  }

  static NameTags of(UnaryOperator<String> tag, int most) {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("most = " + most + " is not between 1 and " + MOST);
    }
    return new NameTags(tag, most, List.of());
  }

  static NameTags patterns(List<String> patterns) {
    int number = patterns.size();
    if (number < 1 || number > MOST_PATTERNS || patterns.contains("")) {
      throw new IllegalArgumentException(
          "patterns = "
              + patterns
              + ": allowed are 1 to "
              + MOST_PATTERNS
              + ", none of them empty");
    }
    Map<String, Pattern> compiled = new LinkedHashMap<>();
    patterns.forEach(pattern -> compiled.put(pattern, compile(pattern)));
    UnaryOperator<String> tag =
        name -> {
          for (Map.Entry<String, Pattern> each : compiled.entrySet()) {
            if (each.getValue().matcher(name).matches()) {
              return each.getKey();
            }
          }
          return LockMetrics.OTHERS;
        };
    List<Tags> all =
        Stream.concat(compiled.keySet().stream(), Stream.of(LockMetrics.OTHERS))
            .distinct()
            .map(NameTags::tags)
            .toList();
    return new NameTags(tag, all.size(), all);
  }

  /** {@code *} stands for any characters, everything else for itself. */
  private static Pattern compile(String pattern) {
    String regex =
        Arrays.stream(pattern.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  private static Tags tags(String value) {
    return Tags.of("lock", value);
  }

  /** The tags that are known before a name is; of no names, the empty ones. */
  List<Tags> known() {
    return known;
  }

  Tags of(String name) {
    if (none) {
      return Tags.empty();
    }
    String value = tag.apply(name);
    return tags(isIn(value) ? value : LockMetrics.OTHERS);
  }

  private boolean isIn(String value) {
    if (values.contains(value)) {
      return true;
    }
    if (!free.tryAcquire()) {
      boolean meanwhile = values.contains(value); // added meanwhile by another thread
      if (!meanwhile && told.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "lock names as tags: the limit of {0} values is reached; {1} and later names count as"
                + " {2}",
            most,
            Quoted.name(value),
            LockMetrics.OTHERS);
      }
      return meanwhile;
    }
    if (!values.add(value)) {
      free.release(); // another thread has just added it
    }
    return true;
  }
}
