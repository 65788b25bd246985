package dev.leasehold.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

/**
 * The least that a kind can do: its two scripts by {@code EVALSHA} over Lettuce, told what an
 * uncontended pair tells them, and nothing else.
 */
final class RawKinds {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final String STORE = "raw";

  private RawKinds() {}

  static Subject of(KindSubjects kind, KindClients clients) {
    ReadWriteScripts sides = new ReadWriteScripts(STORE, KeySpace.WHOLE);
    PermitScripts permits = new PermitScripts(STORE, KeySpace.WHOLE);
    int of = KindSubjects.PERMITS;
    return switch (kind) {
      case READ -> side(kind, clients, sides, Side.READ);
      case WRITE -> side(kind, clients, sides, Side.WRITE);
      case PERMIT ->
          subject(
              kind,
              clients,
              request -> permits.acquire(request, 1, of, how(request.key())),
              lease -> permits.release(lease, 1, how(lease)));
    };
  }

  private static Subject side(
      KindSubjects kind, KindClients clients, ReadWriteScripts scripts, Side side) {
    return subject(
        kind,
        clients,
        request -> scripts.acquire(request, side, "", how(request.key())),
        lease -> scripts.release(lease, side, how(lease)));
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
          redis.scriptLoad(take.apply(request(any)).script().body());
          redis.scriptLoad(give.apply(any).script().body());
          return () -> {
            LeaseKey lease = new LeaseKey("raw-" + key, UUID.randomUUID().toString());
            send(redis, take.apply(request(lease)));
            send(redis, give.apply(lease));
          };
        });
  }

  private static AcquireRequest request(LeaseKey lease) {
    return new AcquireRequest(lease, TTL, IfHeld.REFUSE);
  }

  private static void send(RedisCommands<byte[], byte[]> redis, ScriptRequest request) {
    Script script = request.script();
    redis.evalsha(
        new String(script.sha(), US_ASCII),
        ScriptOutputType.INTEGER,
        request.keys(),
        request.arguments());
  }
}
