package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Latches.State;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A {@link SoundStore} with latches whose waiters poll; correct but for its flaw. */
final class WrongLatch extends SoundStore implements LatchStore {
  private enum Flaw {
    COUNTS_REQUESTS,
    LETS_ONE_THROUGH,
    HAS_NO_END
  }

  private static final String LATCH =
      """
      local round, count, passed = unpack(redis.call('HMGET', KEYS[1], 'round', 'count', 'passed'))
      local left = redis.call('PTTL', KEYS[1])
      left = left == -1 and 86400000 or left - 150000
      """;
  private static final String OPEN =
      """
      if round == ARGV[1] then return 1 end
      if round and left > 0 then return 0 end
      redis.call('DEL', KEYS[1] .. ':go')
      redis.call('HSET', KEYS[1], 'round', ARGV[1], 'count', ARGV[2], 'passed',
        count == '0' and round or '')
      """;
  private static final String END =
      """
      redis.call('PEXPIRE', KEYS[1], ARGV[3] + 150000)
      """;
  private static final String ONCE =
      """
      if redis.call('SISMEMBER', KEYS[1] .. ':counted', ARGV[1]) == 1 then return 1 end
      """;
  private static final String COUNT_DOWN =
      """
      if not round or left <= 0 or count == '0' then return 0 end
      redis.call('SADD', KEYS[1] .. ':counted', ARGV[1])
      redis.call('PEXPIRE', KEYS[1] .. ':counted', 3600000)
      redis.call('HINCRBY', KEYS[1], 'count', -1)
      if count == '1' then redis.call('LPUSH', KEYS[1] .. ':go', 1) end
      return 1
      """;
  private static final String POP =
      """
      if count == '0' and not redis.call('LPOP', KEYS[1] .. ':go') then count = '1' end
      """;
  private static final String LOOK =
      """
      if not round then return {} end
      return { round, tonumber(count), left, passed }
      """;

  private final Flaw flaw;

  private WrongLatch(String address, Flaw flaw) {
    super(address, Guarantee.LATCH, Guarantee.LATCH_OPENING);
    this.flaw = flaw;
  }

  static List<Control> all() {
    return List.of(
        control("latch by plain DECR", breaks("CL-2"), Flaw.COUNTS_REQUESTS),
        control("latch that lets one through", breaks("CL-1"), Flaw.LETS_ONE_THROUGH),
        control("latch kept for ever", breaks("CL-2", "CL-3").toldBy("CL-3"), Flaw.HAS_NO_END));
  }

  private static Control control(String name, Control.Rules broken, Flaw flaw) {
    return new Control(name, broken, address -> new WrongLatch(address, flaw))
        .concerning("CL-.*")
        .sparing("CL-1", "CL-2", "CL-3");
  }

  private static String key(String name) {
    return name + ":latch";
  }

  @Override
  public Latches latches() {
    return new Sketch();
  }

  private final class Sketch implements Latches {
    @Override
    public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
      String end = (flaw == Flaw.HAS_NO_END ? "" : END) + "return 1";
      String ttl = Long.toString(keepFor.toMillis());
      return run(
          () ->
              redis.script(LATCH + OPEN + end, key(round.name()), round.token(), "" + count, ttl)
                  == 1);
    }

    @Override
    public CompletionStage<Boolean> countDown(LeaseKey once) {
      String looks = flaw == Flaw.COUNTS_REQUESTS ? "" : ONCE;
      return run(
          () -> redis.script(looks + LATCH + COUNT_DOWN, key(once.name()), once.token()) == 1);
    }

    @Override
    public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
      String pops = flaw == Flaw.LETS_ONE_THROUGH ? POP : "";
      return run(
          () ->
              Optional.<List<?>>of(redis.listScript(LATCH + pops + LOOK, key(waiter.name())))
                  .filter(found -> !found.isEmpty())
                  .map(WrongLatch::state));
    }
  }

  private static State state(List<?> found) {
    int count = ((Long) found.get(1)).intValue();
    Duration left = Duration.ofMillis((Long) found.get(2));
    return new State((String) found.get(0), count, left, (String) found.get(3));
  }
}
