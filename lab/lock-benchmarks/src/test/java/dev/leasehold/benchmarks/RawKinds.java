package dev.leasehold.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LatchScripts;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TogetherScripts;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The lower bound of a kind's cost: its scripts by {@code EVALSHA} over Lettuce, with the arguments
 * of an uncontended pair, and nothing else.
 */
final class RawKinds {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final String STORE = "raw";

  private RawKinds() {}

  static Subject of(KindSubjects kind, KindClients clients) {
    PermitScripts permits = new PermitScripts(STORE, KeySpace.WHOLE, 1, KindSubjects.PERMITS);
    return switch (kind) {
      case READ -> side(kind, clients, Side.READ);
      case WRITE -> side(kind, clients, Side.WRITE);
      case PERMIT ->
          subject(
              kind,
              clients,
              request -> permits.acquire(request, how(request.key())),
              lease -> permits.release(lease, how(lease)));
      case LATCH -> latch(clients);
      case ALL -> all(clients);
    };
  }

  private static Subject side(KindSubjects kind, KindClients clients, Side side) {
    ReadWriteScripts scripts = new ReadWriteScripts(STORE, KeySpace.WHOLE, side, "");
    return subject(
        kind,
        clients,
        request -> scripts.acquire(request, how(request.key())),
        lease -> scripts.release(lease, how(lease)));
  }

  private static Publishing how(LeaseKey lease) {
    return Publishing.toStore(lease.name(), Publishing.COUNTS_ALL);
  }

  private static Subject subject(
      KindSubjects kind,
      KindClients clients,
      Function<AcquireRequest, ScriptRequest> take,
      Function<LeaseKey, ScriptRequest> give) {
    RedisCommands<byte[], byte[]> redis = clients.raw().sync();
    return kind.subject(
        "raw",
        key -> {
          LeaseKey any = new LeaseKey("raw-" + key, "any");
          load(redis, take.apply(request(any)));
          load(redis, give.apply(any));
          return () -> {
            LeaseKey lease = lease("raw-" + key);
            send(redis, take.apply(request(lease)));
            send(redis, give.apply(lease));
          };
        });
  }

  private static Subject latch(KindClients clients) {
    LatchScripts latches = new LatchScripts(STORE, KeySpace.WHOLE);
    Function<LeaseKey, ScriptRequest> open = key -> latches.open(key, 1, KindSubjects.LATCH_KEPT);
    Function<LeaseKey, ScriptRequest> count = key -> latches.countDown(key, how(key));
    Function<LeaseKey, ScriptRequest> look = key -> latches.look(key, IfHeld.REFUSE);
    RedisCommands<byte[], byte[]> redis = clients.raw().sync();
    return KindSubjects.LATCH.subject(
        "raw",
        key -> {
          LeaseKey any = new LeaseKey("raw-" + key, "any");
          List.of(open, count, look).forEach(step -> load(redis, step.apply(any)));
          AtomicLong rounds = new AtomicLong();
          return () -> {
            LeaseKey once = lease("raw-" + KindSubjects.round(key, rounds.incrementAndGet()));
            send(redis, open.apply(once));
            send(redis, count.apply(once));
            ScriptRequest last = look.apply(once);
            send(redis, last, ScriptOutputType.MULTI);
          };
        });
  }

  /** One script takes all, and one gives them back. */
  private static Subject all(KindClients clients) {
    TogetherScripts together = new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE);
    Function<String, Publishing> how = name -> Publishing.toStore(name, Publishing.COUNTS_ALL);
    RedisCommands<byte[], byte[]> redis = clients.raw().sync();
    return KindSubjects.ALL.subject(
        "raw",
        key -> {
          List<String> names = KindSubjects.names("raw-" + key);
          List<LeaseKey> any = List.of(new LeaseKey(names.get(0), "any"));
          load(redis, together.acquire(List.of(request(any.get(0))), List.of()));
          load(redis, together.release(any, how));
          return () -> {
            String token = UUID.randomUUID().toString();
            List<LeaseKey> leases = names.stream().map(name -> new LeaseKey(name, token)).toList();
            send(
                redis,
                together.acquire(leases.stream().map(RawKinds::request).toList(), List.of()));
            send(redis, together.release(leases, how), ScriptOutputType.MULTI);
          };
        });
  }

  private static LeaseKey lease(String name) {
    return new LeaseKey(name, UUID.randomUUID().toString());
  }

  private static void load(RedisCommands<byte[], byte[]> redis, ScriptRequest request) {
    redis.scriptLoad(request.script().body());
  }

  private static String sha(ScriptRequest request) {
    return new String(request.script().sha(), US_ASCII);
  }

  private static AcquireRequest request(LeaseKey lease) {
    return new AcquireRequest(lease, TTL, IfHeld.REFUSE);
  }

  private static void send(RedisCommands<byte[], byte[]> redis, ScriptRequest request) {
    send(redis, request, ScriptOutputType.INTEGER);
  }

  private static void send(
      RedisCommands<byte[], byte[]> redis, ScriptRequest request, ScriptOutputType reply) {
    redis.evalsha(sha(request), reply, request.keys(), request.arguments());
  }
}
