package dev.leasehold.examples.settings;

import dev.leasehold.lock.spi.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows about settings in a page, compared with the settings that the code has. */
final class SettingsTable {
  private static final Pattern ROW = Pattern.compile("^\\|\\s*`(lock\\.[a-z0-9.-]+)`\\s*\\|.*$");

  private record Row(String key, List<String> cells) {}

  private SettingsTable() {}

  /** What the page lacks or has too much; empty if both agree. */
  static List<String> differences(String page, List<Setting<?>> settings) {
    List<Row> rows = rows(page);
    List<String> found = new ArrayList<>();
    for (Setting<?> setting : settings) {
      boolean present =
          rows.stream()
              .anyMatch(
                  row ->
                      row.key().equals(setting.key())
                          && row.cells().contains(shownDefault(setting)));
      if (!present) {
        found.add("missing, or with another default: " + markdown(setting));
      }
    }
    Set<String> known = new LinkedHashSet<>();
    settings.forEach(setting -> known.add(setting.key()));
    rows.stream()
        .map(Row::key)
        .filter(key -> !known.contains(key))
        .forEach(key -> found.add("no such setting: " + key));
    return found;
  }

  /** A setting's row: key, default, what is allowed, meaning. */
  static String markdown(Setting<?> setting) {
    return "| `%s` | %s | %s | %s |"
        .formatted(setting.key(), shownDefault(setting), setting.type(), setting.meaning());
  }

  private static String shownDefault(Setting<?> setting) {
    return setting.defaultText().filter(text -> !text.isEmpty()).map(t -> "`" + t + "`").orElse("");
  }

  private static List<Row> rows(String page) {
    List<Row> rows = new ArrayList<>();
    page.lines()
        .forEach(
            line -> {
              Matcher m = ROW.matcher(line);
              if (m.matches()) {
                rows.add(
                    new Row(
                        m.group(1),
                        Arrays.stream(line.split("\\|", -1)).skip(2).map(String::strip).toList()));
              }
            });
    return rows;
  }
}
