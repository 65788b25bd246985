package dev.leasehold.examples.settings;

import dev.leasehold.lock.spi.Setting;
import java.util.List;
import java.util.Map;

/** A page's generated section on settings, between two marks. */
final class SettingsTable {
  private static final String BEGIN = "<!-- settings:begin -->\n";
  private static final String END = "<!-- settings:end -->";

  private SettingsTable() {}

  /**
   * The page with its section up to date.
   *
   * @param settings by the heading of their group
   */
  static String updated(String page, Map<String, List<Setting<?>>> settings) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("the page lacks " + BEGIN.strip() + " or " + END);
    }
    StringBuilder section = new StringBuilder();
    settings.forEach((heading, list) -> section.append(table(heading, list)).append('\n'));
    return page.substring(0, begin + BEGIN.length()) + "\n" + section + page.substring(end);
  }

  private static String table(String heading, List<Setting<?>> settings) {
    StringBuilder table = new StringBuilder();
    table
        .append("| ")
        .append(heading)
        .append(" | Default | Allowed | Meaning |\n|---|---|---|---|\n");
    for (Setting<?> setting : settings) {
      String shownDefault =
          setting.defaultText().filter(t -> !t.isEmpty()).map(t -> "`" + t + "`").orElse("");
      table.append(
          "| `%s` | %s | %s | %s |%n"
              .formatted(
                  setting.key(), shownDefault, escaped(setting.type()), escaped(setting.meaning()))
              .replace(System.lineSeparator(), "\n"));
    }
    return table.toString();
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|");
  }
}
