package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.testkit.view.ValueForm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Plain locks in the order of their history, from {@code SETNX} to a renewed lease. */
final class OwnedLocks {
  private static final Set<Guarantee> OWNED_AND_ENDING =
      Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY);

  private OwnedLocks() {}

  /** Releases without checking the owner. */
  private static class PlainDel extends SoundStore {
    PlainDel(String address, Set<Guarantee> believed) {
      super(address, believed);
    }

    @Override
    boolean free(String key, String token) {
      return redis.number("DEL", key) == 1;
    }
  }

  /** Takes over an expired lock by {@code GETSET}, if that returns what {@code GET} did. */
  private static class Getset extends TimestampSketch {
    Getset(String address) {
      super(address, Set.of(Guarantee.OWNED, Guarantee.CLOCK_INDEPENDENT));
    }

    @Override
    boolean takeOver(String key, String old, String mine) {
      return redis.text("GETSET", key, mine).filter(old::equals).isPresent();
    }
  }

  static List<Control> all() {
    return List.of(
        // The oldest scheme: no expiry and no owner.
        new Control(
            "bare SETNX",
            breaks(
                    "EX-1", "EX-5", "FL-4", "LC-1", "LE-1", "LE-2", "LE-5", "LO-3", "MU-3", "RL-1",
                    "RL-3", "RL-4", "RL-7", "RN-2", "RN-5", "RN-6")
                .toldBy("LE-1", "LE-2", "RL-1"),
            address ->
                new PlainDel(address, OWNED_AND_ENDING) {
                  @Override
                  Optional<Duration> take(String key, String token, long ttl) {
                    boolean taken = redis.number("SETNX", key, token) == 1 || has(key, token);
                    return taken ? Optional.empty() : Optional.of(Duration.ofSeconds(1));
                  }

                  @Override
                  boolean prolong(String key, String token, long ttl) {
                    return has(key, token);
                  }
                }),
        // Two commands, between which the client may die; and a release without checking the owner.
        new Control(
            "SETNX then EXPIRE",
            breaks("LE-1", "LO-3", "RL-1", "RL-3", "RL-4", "RL-7").toldBy("LE-1", "RL-1"),
            address ->
                new PlainDel(address, SoundStore.OWNED_WITH_TTL) {
                  @Override
                  Optional<Duration> take(String key, String token, long ttl) {
                    if (redis.number("SETNX", key, token) == 0) {
                      Optional<Duration> refusal = refusal(key, token);
                      if (refusal.isPresent()) {
                        return refusal;
                      }
                    }
                    redis.number("PEXPIRE", key, Long.toString(ttl));
                    return Optional.empty();
                  }
                }),
        // MULTI executes both commands: a loser's PEXPIRE, too.
        new Control(
            "MULTI of SETNX and EXPIRE",
            breaks(
                    "EX-5", "FL-4", "LC-1", "LE-2", "LE-5", "LO-3", "MU-3", "RL-1", "RL-3", "RL-4",
                    "RL-7", "RN-2", "RN-5", "RN-6", "WA-6")
                .toldBy("EX-5", "RL-1"),
            address ->
                new PlainDel(address, OWNED_AND_ENDING) {
                  @Override
                  Optional<Duration> take(String key, String token, long ttl) {
                    List<?> replies =
                        redis.on(
                            connection -> {
                              connection.call("MULTI");
                              connection.call("SETNX", key, token);
                              connection.call("PEXPIRE", key, Long.toString(ttl));
                              return connection.list("EXEC");
                            });
                    boolean taken = replies.get(0).equals(1L) || has(key, token);
                    return taken ? Optional.empty() : Optional.of(Duration.ofMillis(ttl));
                  }
                }),
        // A client that finds the time past deletes the key and takes the lock: two such clients
        // delete each other's lock.
        new Control(
                "expired, DEL, SETNX",
                breaks("EX-1"),
                address ->
                    new TimestampSketch(address, Set.of()) {
                      @Override
                      boolean takeOver(String key, String old, String mine) {
                        redis.call("DEL", key);
                        return redis.number("SETNX", key, mine) == 1;
                      }
                    })
            .writing(ValueForm.MILLIS),
        // The algorithm of the SETNX page as usually implemented: the release deletes
        // unconditionally.
        new Control(
                "GETSET timestamp, plain DEL",
                breaks("EX-4", "EX-5", "LE-7", "LO-3", "RL-1", "RL-3", "RL-4", "RL-7")
                    .toldBy("EX-5", "LE-7", "RL-1"),
                address ->
                    new Getset(address) {
                      @Override
                      boolean free(String key, String token) {
                        return redis.number("DEL", key) == 1;
                      }
                    })
            .writing(ValueForm.MILLIS),
        // The same, more careful: the release deletes only if, by its own clock, it still holds the
        // lock.
        new Control(
                "GETSET timestamp, DEL unless expired",
                breaks("EX-4", "EX-5", "LE-7", "RL-7").toldBy("LE-7", "RL-7"),
                address ->
                    new Getset(address) {
                      @Override
                      boolean free(String key, String token) {
                        String mine = written.remove(token);
                        return mine != null && !isOver(mine) && redis.number("DEL", key) == 1;
                      }
                    })
            .writing(ValueForm.MILLIS),
        // Acquired by one command, but released without checking the owner.
        new Control(
            "SET NX EX, plain DEL",
            breaks("LO-3", "RL-1", "RL-3", "RL-4", "RL-7").toldBy("RL-1", "RL-3"),
            address -> new PlainDel(address, SoundStore.OWNED_WITH_TTL)),
        // A token, but the check and the delete are two steps.
        new Control(
            "SET NX PX, token, GET then DEL",
            breaks("RL-7"),
            address ->
                new SoundStore(address) {
                  @Override
                  boolean free(String key, String token) {
                    return has(key, token) && redis.number("DEL", key) == 1;
                  }
                }),
        new Control(
            "value is the thread id",
            breaks(
                    "EX-3", "EX-4", "FL-1", "IN-2", "LC-1", "LE-5", "MU-1", "RE-1", "RE-4", "RL-3",
                    "RL-4", "RN-1", "RN-2", "RN-4")
                .toldBy("EX-3", "EX-4"),
            ThreadIdStore::at),
        // A watchdog that prolongs the lock without a check of its holder.
        new Control(
            "watchdog by bare PEXPIRE",
            breaks("LO-4", "RL-3", "RN-2").toldBy("RN-2"),
            address ->
                new SoundStore(address) {
                  @Override
                  boolean prolong(String key, String token, long ttl) {
                    return redis.number("PEXPIRE", key, Long.toString(ttl)) == 1;
                  }
                }),
        // A renewal that checks the owner and reports success, but prolongs nothing.
        new Control(
            "fixed lease without renewal that claims renewal",
            breaks("LE-2", "LE-6", "LO-2", "LO-5", "RN-1", "RN-2", "RN-4", "RN-6").toldBy("RN-1"),
            address ->
                new SoundStore(address, OWNED_AND_ENDING) {
                  @Override
                  boolean prolong(String key, String token, long ttl) {
                    return has(key, token);
                  }
                }));
  }
}
