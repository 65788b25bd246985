package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Reflection and proxies that the starter uses at run time, for a native image. */
final class LockHints implements RuntimeHintsRegistrar {
  /** The clients' fields that have their address, by class. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "io.lettuce.core.RedisClient",
          "redisURI",
          "org.springframework.data.redis.connection.jedis.JedisConnectionFactory",
          "clientConfig");

  LockHints() {}

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    FIELDS.forEach(
        (type, field) ->
            hints.reflection().registerTypeIfPresent(loader, type, some -> some.withField(field)));
    hints.proxies().registerJdkProxy(TypeReference.of(LockManager.class));
    OpenedLater.LOCKS.forEach(type -> hints.proxies().registerJdkProxy(TypeReference.of(type)));
  }
}
