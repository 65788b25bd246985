package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.ClientAnswers;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.ScriptCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisStrictCommand;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.renewal.LockRenewalScheduler;

/** A Redisson client, the application's or our own. Thread-safe. */
final class Client implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CommandAsyncExecutor executor;
  private final Runnable onClose;
  private final KeySpace space;

  /**
   * On a client; {@code onClose} shuts it down if the store owns it.
   *
   * @throws IllegalArgumentException if it is not Redisson's own implementation
   */
  Client(RedissonClient client, Runnable onClose) {
    if (!(client instanceof Redisson redisson)) {
      throw new IllegalArgumentException(
          client.getClass().getName()
              + " is not "
              + Redisson.class.getName()
              + ": unwrap it, scripts are sent through Redisson itself");
    }
    this.executor = redisson.getCommandExecutor();
    this.onClose = onClose;
    this.space = KeySpace.WHOLE;
  }

  private Client(CommandAsyncExecutor executor, Runnable onClose, KeySpace space) {
    this.executor = executor;
    this.onClose = onClose;
    this.space = space;
  }

  /** The same on the keys of a tenant. */
  Client on(KeySpace keys) {
    return new Client(executor, onClose, keys);
  }

  Keys keys(String name) {
    return Keys.of(name, space, executor.getServiceManager().getNameMapper());
  }

  /** The key of a quorum node's marker. */
  String marker() {
    return new String(space.marker(), StandardCharsets.UTF_8);
  }

  CommandAsyncExecutor executor() {
    return executor;
  }

  /** Connection events. To be closed by the caller. */
  ConnectionLosses connections() {
    return new ConnectionLosses(executor.getServiceManager().getConnectionEventsHub());
  }

  boolean isCluster() {
    return executor.getServiceManager().getCfg().isClusterConfig();
  }

  /** How long a plain {@code RFairLock} of this client keeps its place. */
  Duration plainFairTimeout() {
    return Duration.ofMillis(executor.getServiceManager().getCfg().getFairLockWaitTimeout());
  }

  /** The lease that Redisson's watchdog sets at each renewal. */
  Duration watchdogTimeout() {
    return Duration.ofMillis(executor.getServiceManager().getCfg().getLockWatchdogTimeout());
  }

  LockRenewalScheduler renewals() {
    return executor.getServiceManager().getRenewalScheduler();
  }

  /**
   * A section of {@code INFO} from each primary. Blocks.
   *
   * @throws LockStoreException if one can't be reached or refuses
   */
  List<String> info(String section) {
    long begun = System.nanoTime();
    while (true) {
      List<CompletableFuture<String>> asked = ask(section);
      try {
        return asked.stream().map(each -> ClientAnswers.within(PATIENCE, each)).toList();
      } catch (CompletionException e) {
        if (!RedissonFailures.isUnsent(e) || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw RedissonFailures.of(e, "Could not ask Redis for INFO " + section);
        }
      }
    }
  }

  /**
   * Checks whether scripts are permitted. Blocks.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if not
   */
  void checkScripts() {
    ScriptCheck.check("lock.backend = redisson", this::run);
  }

  /** In lower case: Redisson would repeat EVAL and EVALSHA in its own way. */
  private void run(String command, byte[] script) {
    CompletableFuture<Long> answer =
        executor
            .<Long, Long>evalWriteNoRetryAsync(
                "lh:any",
                StringCodec.INSTANCE,
                new RedisStrictCommand<Long>(command.toLowerCase(Locale.ROOT)),
                new String(script, StandardCharsets.US_ASCII),
                List.of())
            .toCompletableFuture();
    try {
      ClientAnswers.within(PATIENCE, answer);
    } catch (CompletionException e) {
      throw RedissonFailures.of(e, "Could not run scripts");
    }
  }

  private List<CompletableFuture<String>> ask(String section) {
    return executor.writeAllAsync(
        StringCodec.INSTANCE, new RedisStrictCommand<String>("INFO"), section);
  }

  /** The {@code INFO server} of the one server. */
  CompletableFuture<String> serverInfo() {
    return ask("server").get(0);
  }

  @Override
  public void close() {
    onClose.run();
  }
}
