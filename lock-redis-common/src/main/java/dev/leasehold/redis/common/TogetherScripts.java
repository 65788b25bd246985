package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Several locks of the scheme with fences, acquired in one step; independent of the client.
 * Immutable.
 */
public final class TogetherScripts {
  private static final Long FREE = 0L;

  private final Script acquire;
  private final KeySpace space;

  /**
   * For one store.
   *
   * @param acquire {@link Script#TOGETHER} or {@link Script#SETNX_TOGETHER}
   */
  public TogetherScripts(Script acquire, KeySpace space) {
    this.acquire = acquire;
    this.space = space;
  }

  /**
   * Acquires all or none; the reply is for {@link #acquired}.
   *
   * @param beside leases that are already held
   */
  public ScriptRequest acquire(List<AcquireRequest> requests, List<LeaseKey> beside) {
    List<LeaseKey> all = new ArrayList<>(beside.size() + requests.size());
    requests.forEach(request -> all.add(request.key()));
    all.addAll(beside);
    List<byte[]> keys = new ArrayList<>();
    List<LockKeys> each = all.stream().map(key -> space.keys(key.name())).toList();
    each.forEach(of -> keys.add(of.lock()));
    each.forEach(of -> keys.add(of.fence()));
    Arguments arguments =
        new Arguments(2 + all.size()).add(requests.get(0).ttl().toMillis()).add(requests.size());
    all.forEach(key -> arguments.add(key.token()));
    return new ScriptRequest(acquire, keys.toArray(byte[][]::new), arguments.all());
  }

  /**
   * Releases locks; the reply is for {@link #released}.
   *
   * @param how how the waiters of a name are reached; the command is the same for all
   */
  public ScriptRequest release(List<LeaseKey> leases, Function<String, Publishing> how) {
    Arguments keys = new Arguments(2 * leases.size());
    List<LockKeys> each = leases.stream().map(lease -> space.keys(lease.name())).toList();
    each.forEach(of -> keys.add(of.lock()));
    each.forEach(of -> keys.add(of.waiters()));
    Publishing any = how.apply(leases.get(0).name());
    Arguments arguments =
        new Arguments(3 + 3 * leases.size())
            .add(any.command())
            .add(any.counts())
            .add(Arguments.KEPT);
    for (LeaseKey lease : leases) {
      Publishing its = how.apply(lease.name());
      arguments.add(lease.token()).add(its.prefix()).add(its.message());
    }
    return new ScriptRequest(Script.TOGETHER_RELEASE, keys.all(), arguments.all());
  }

  /** Parses the reply to {@link #release}: each lock's result. */
  public static List<ReleaseResult> released(Object reply) {
    return ((List<?>) reply).stream().map(each -> Replies.release((Long) each)).toList();
  }

  /** Parses the reply to {@link #acquire}: a number, or a list of some. */
  public static Answer acquired(List<AcquireRequest> requests, Object reply) {
    if (!(reply instanceof List<?> replies)) {
      return new Answer.Granted(OptionalLong.of((Long) reply), requests.get(0).ttl());
    }
    Map<Integer, Held> held = new HashMap<>();
    boolean withTokens = !(replies.get(replies.size() - 1) instanceof Long);
    int locks = withTokens ? replies.size() / 2 : replies.size();
    for (int i = 0; i < locks; i++) {
      if (!FREE.equals(replies.get(i))) {
        held.put(i, Replies.held((Long) replies.get(i), withTokens ? replies.get(locks + i) : ""));
      }
    }
    return new Answer.Refused(held);
  }
}
