package dev.leasehold.redlock;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.ReplacedSetting;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers of a quorum as settings name them: one list, or a new one and the previous one.
 *
 * @param nodes all nodes, without duplicates: the quorum's settings with each one's own address
 * @param lists each list's nodes, by their indexes among all
 */
record NodeLists(List<LockSettings> nodes, List<List<Integer>> lists) {

  /** Reads the lists; {@link #checkDistinct} reports duplicates within one. */
  static NodeLists of(LockSettings settings) {
    List<String> now = settings.get(RedlockSettings.NODES);
    List<String> before = before(settings);
    Map<String, LockSettings> all = new LinkedHashMap<>();
    add(all, now, settings, RedlockSettings.NODES);
    add(all, before, settings, RedlockSettings.NODES_BEFORE);
    if (all.size() > QuorumLeaseStore.MOST_NODES) {
      throw new LockConfigurationException(
          "%s and %s name %d nodes together: allowed are %d"
              .formatted(
                  RedlockSettings.NODES.key(),
                  RedlockSettings.NODES_BEFORE.key(),
                  all.size(),
                  QuorumLeaseStore.MOST_NODES));
    }
    List<String> addresses = List.copyOf(all.keySet());
    List<List<Integer>> lists = new ArrayList<>(List.of(places(now, addresses)));
    if (!before.isEmpty()) {
      lists.add(places(before, addresses));
    }
    return new NodeLists(List.copyOf(all.values()), List.copyOf(lists));
  }

  private static List<String> before(LockSettings settings) {
    return settings.find(RedlockSettings.NODES_BEFORE).orElse(List.of());
  }

  /**
   * Refuses a list that names a node twice.
   *
   * @throws LockConfigurationException naming the list
   */
  static void checkDistinct(LockSettings settings) {
    settings
        .find(RedlockSettings.NODES)
        .ifPresent(now -> checkDistinct(RedlockSettings.NODES, now, settings));
    checkDistinct(RedlockSettings.NODES_BEFORE, before(settings), settings);
  }

  /** By address: the credentials may differ between the lists. */
  private static void add(
      Map<String, LockSettings> all, List<String> uris, LockSettings settings, Setting<?> from) {
    String source = from.key() + ", " + settings.origin(from.key());
    for (String uri : uris) {
      String address = RedlockSettings.address(uri);
      all.putIfAbsent(
          address,
          new ReplacedSetting(
              settings, RedlockSettings.NODE_URI, uri, source, "the node " + address));
    }
  }

  private static List<Integer> places(List<String> list, List<String> addresses) {
    return list.stream().map(uri -> addresses.indexOf(RedlockSettings.address(uri))).toList();
  }

  private static void checkDistinct(Setting<?> setting, List<String> uris, LockSettings settings) {
    if (uris.stream().map(RedlockSettings::address).distinct().count() < uris.size()) {
      throw new LockConfigurationException(
          setting.key()
              + " ("
              + settings.origin(setting.key())
              + ") names one node twice: two names of one server would be two votes of one");
    }
  }

  /** The policy for all lists together. */
  QuorumPolicy policy(QuorumPolicy each) {
    return lists.size() == 1 ? each : new JointPolicy(each, lists);
  }
}
