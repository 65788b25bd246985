package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.view.ServerView;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Sound locks whose authors promise more than they keep. */
final class Promises {
  /** The tokens are microseconds. */
  private static final long MICROS = 1;

  private static final long NANOS = 1000;

  private Promises() {}

  static List<Control> ofOrder() {
    return List.of(
        // A sound lock whose release lets the fastest process win.
        new Control(
            "free for all", breaks("FA-1"), address -> new SoundStore(address, Guarantee.TURNS)),
        // A line on the server for all waiters; but a client that finds the lock free takes it. Not
        // FA-1: whether the releasing client is faster than a polling one depends on the machine.
        new WithLine("fair line with barging", breaks("FA-2"), Passed::new)
            .concerning("FA-2")
            .sparing("LE-3", "IN-1"),
        // Places last until the waiter leaves, even if it has died.
        new WithLine("fair line of the dead", breaks("FA-3"), LineSketch.Fair::new)
            .concerning("FA-.*")
            .sparing("FA-2", "LE-3", "IN-1"));
  }

  static List<Control> ofNumbers() {
    return List.of(
        // Fencing tokens that are correct in 64 bits, but not where numbers are doubles.
        new Control(
            "tokens of nanoseconds", breaks("FE-4"), address -> new FencedSketch(address, NANOS)),
        // Numbers are reserved for hand-overs, and the unused ones are taken back without a check:
        // that the token holds the lock and no number was issued since.
        new Control(
                "numbers given back blindly",
                breaks("FE-1"),
                address ->
                    new FencedSketch(address, MICROS) {
                      @Override
                      int reserves(AcquireRequest request) {
                        return request.handOvers();
                      }

                      @Override
                      void ended(String key, long lastUsed) {
                        redis.call(
                            "SET", "fence:" + key, Long.toString(lastUsed), "PX", "86400000");
                      }
                    })
            .concerning("FE-.*")
            .sparing("FE-4", "LE-3", "IN-1"));
  }

  static List<Control> ofReplicas() {
    // One primary, whose author believes that a replica makes it safe.
    return List.of(
        new Control(
            "single master with asynchronous replica, promoted",
            breaks("FL-5"),
            address -> new SoundStore(address, Guarantee.FAILOVER_SAFE)));
  }

  /** A lock with a line of waiters in a sorted set. */
  private static final class WithLine extends Control {
    WithLine(String name, Rules broken, Function<String, LeaseStore> store) {
      super(name, broken, store);
    }

    @Override
    public Optional<ServerView> view(String address) {
      RedisCalls redis = new RedisCalls(address);
      return super.view(address)
          .map(
              view ->
                  Around.each(
                      ServerView.class,
                      view,
                      (method, arguments, call) ->
                          switch (method.getName()) {
                            case "hasWaiting" ->
                                arguments[1].equals(redis.number("ZCARD", arguments[0] + ":line"));
                            case "close" -> {
                              redis.close();
                              yield call.make();
                            }
                            default -> call.make();
                          }));
    }
  }

  private static final class Passed extends SoundStore {
    private static final String STAND =
        """
        local time = redis.call('TIME')
        local now = string.format('%.0f', time[1] * 1000000 + time[2])
        redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1])
        return redis.call('PEXPIRE', KEYS[1], 60000)
        """;

    Passed(String address) {
      super(address, Guarantee.FAIR);
    }

    @Override
    protected AcquireResult acquireNow(AcquireRequest request) {
      AcquireResult result = super.acquireNow(request);
      String line = request.key().name() + ":line";
      if (result instanceof AcquireResult.Granted) {
        redis.number("ZREM", line, request.key().token());
      } else if (request.again()) { // it is waiting
        redis.script(STAND, line, request.key().token());
      }
      return result;
    }
  }
}
