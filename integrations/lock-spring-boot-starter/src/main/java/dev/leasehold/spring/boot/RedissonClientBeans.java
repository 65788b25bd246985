package dev.leasehold.spring.boot;

import dev.leasehold.redisson.RedissonBackend;
import dev.leasehold.redisson.RedissonLocks;
import org.redisson.api.RedissonClient;

/** Locks on the application's Redisson client. */
final class RedissonClientBeans {
  private static final String RENEWAL = "lock.redisson.renewal";

  private RedissonClientBeans() {}

  static ClientBackend on(RedissonClient client) {
    return new ClientBackend(
        new RedissonBackend(),
        settings -> RedissonLocks.over(client).settings(settings).open(),
        (settings, store, builder) ->
            settings.text(RENEWAL).filter("watchdog"::equals).isPresent()
                ? builder.renewer(RedissonLocks.watchdog(store))
                : builder,
        ClientBackend.Life.THE_CONTEXTS,
        "the application's RedissonClient");
  }
}
