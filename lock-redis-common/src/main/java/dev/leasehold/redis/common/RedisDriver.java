package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What a store needs of its client: all that differs between an asynchronous client and one that
 * blocks. Calls never block, and fail by their stage. Thread-safe.
 */
public interface RedisDriver extends AutoCloseable {
  /**
   * To be called before anything else.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if the server or an option is refused
   */
  void start(StoreContext context);

  /** How releases reach the store's waiters. */
  WakeChannel channel();

  /** Whether one script may use keys of any locks. */
  boolean takesManyKeys();

  /** Whether one script may use these keys. Always the same for the same keys. */
  boolean takesTogether(List<byte[]> keys);

  /**
   * Sends {@code COMMAND}, whose reply is a list.
   *
   * @param key a lock's key, whose server is asked
   * @param arguments of the command; must not be changed
   */
  CompletionStage<List<?>> commandInfo(String lockName, byte[] key, List<byte[]> arguments);

  /** Runs a script that neither acquires nor releases. */
  <R> CompletionStage<R> send(ScriptCall<R> call);

  /**
   * Acquires what one script acquires. If it ends without a reply, {@link #release} of these leases
   * takes into account that it may arrive later.
   *
   * @param leases what it acquires, for at most this time
   * @param undo releases it if too few replicas have it; sent by {@link #send}
   */
  <R> CompletionStage<R> acquire(
      ScriptCall<R> call,
      List<LeaseKey> leases,
      Duration ttl,
      Supplier<? extends CompletionStage<?>> undo);

  /**
   * Releases leases, such that no acquisition of theirs can take effect later: those of which one
   * may still be in flight on another connection are {@linkplain ScriptCall#gone marked} first.
   *
   * @param call makes the call, each time when it is sent
   */
  <R> CompletionStage<R> release(List<LeaseKey> leases, Supplier<ScriptCall<R>> call);

  /** Closes the channel, the connections, and the client if the store owns it. Blocks. */
  @Override
  void close();
}
