package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** What the starter looks up while the application runs, for a native image. */
final class LockHints implements RuntimeHintsRegistrar {
  /** Fields of clients, which tell where an application's client connects to, by their classes. */
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
