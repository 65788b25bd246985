package dev.leasehold.redis.set;

import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.sim.SimWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Checks all holds whenever one is added or ends: at most one is valid per name (EX-1), all parts
 * of a hold have one token, and that is larger than all earlier ones of each of its names (MU-5).
 * There is no exception here: owners take nothing that they have, and the store refuses no step as
 * such. Not thread-safe.
 */
final class TogetherCheck {
  private final SimWorld world;
  private final Consumer<String> fail;
  private final List<Hold> holds = new ArrayList<>();
  private final StringBuilder granted = new StringBuilder();
  private Map<String, Long> known = Map.of();

  /** A hold that an owner believes to have, of one lock or several. */
  record Hold(String owner, List<String> names, Lease lease) {}

  TogetherCheck(SimWorld world, Consumer<String> fail) {
    this.world = world;
    this.fail = fail;
  }

  /** The largest token of each name so far; read before a request, and passed to {@link #taken}. */
  Map<String, Long> known() {
    return known;
  }

  /** Adds a grant whose request was sent when {@code asked} were the known tokens. */
  void taken(Hold hold, Map<String, Long> asked) {
    holds.add(hold);
    look();
    // While it is valid, none of its names has been granted since.
    Map<String, Long> before = hold.lease().isValid() ? known : asked;
    Map<String, Long> after = new HashMap<>(known);
    long token = hold.lease().fencingToken();
    for (String name : hold.names()) {
      if (token <= before.getOrDefault(name, -1L)) {
        fail.accept("MU-5: " + hold + " has token " + token + ", known were " + before);
      }
      after.merge(name, token, Math::max);
    }
    known = Map.copyOf(after);
    granted
        .append(world.nanos())
        .append(' ')
        .append(hold.owner())
        .append(' ')
        .append(hold.names())
        .append(' ')
        .append(token)
        .append('\n');
  }

  private void look() {
    TreeSet<String> held = new TreeSet<>();
    for (Hold hold : holds) {
      if (hold.lease().isValid() && !hold.names().stream().allMatch(held::add)) {
        fail.accept("EX-1: one of " + held + " has two holders: " + holds);
      }
    }
  }

  /** The owner stops relying on the hold. */
  void over(Hold hold) {
    look();
    holds.remove(hold);
  }

  String granted() {
    return granted.toString();
  }
}
