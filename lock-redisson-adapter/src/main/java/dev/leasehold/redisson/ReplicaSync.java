package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.command.CommandBatchService;
import org.redisson.config.Config;
import org.redisson.connection.MasterSlaveEntry;

/**
 * Sends scripts as {@code RLock} does where there may be replicas: with {@code WAIT} for all
 * connected ones, for the client's {@code slavesSyncTimeout}. At least one must have the write,
 * unless {@code checkLockSyncedSlaves = false}. Thread-safe.
 *
 * <p>Script and {@code WAIT} are sent together, since that covers what its own connection wrote. So
 * such a script writes even what is already there; otherwise WAIT would not wait for it.
 *
 * <p>Redisson's own call for this would resend a script whose answer is late, and never looks for
 * replicas again once it found none.
 */
final class ReplicaSync {
  private final CommandAsyncExecutor client;
  private final Config config;
  private volatile Duration commandTimeout = Duration.ZERO;
  private volatile boolean canWait = true;

  ReplicaSync(CommandAsyncExecutor client, ConnectionLosses connections) {
    this.client = client;
    this.config = client.getServiceManager().getCfg();
    connections.onBroken(address -> forget());
  }

  /** The next primary may have none, and waiting for the last one's would use up the time-out. */
  private void forget() {
    client.getConnectionManager().getEntrySet().forEach(each -> each.setAvailableSlaves(-1));
  }

  /** Sets how long an answer may take; replicas have at most half of it. */
  void answeredWithin(Duration time) {
    commandTimeout = time;
  }

  /** Whether there may be replicas. */
  boolean areAsked() {
    return canWait && !config.isSingleConfig();
  }

  private Duration within() {
    Duration most = commandTimeout.dividedBy(2);
    Duration theirs = Duration.ofMillis(config.getSlavesSyncTimeout());
    return theirs.isZero() || theirs.compareTo(most) > 0 ? most : theirs;
  }

  /** Sends a script, once. */
  CompletableFuture<Answer> send(
      RedissonScriptCall call,
      RedisCommand<Object> command,
      String script,
      CompletableFuture<?> until) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    MasterSlaveEntry primary = client.getConnectionManager().getEntry(call.keys().get(0));
    int known = primary == null ? 0 : Math.max(0, primary.getAvailableSlaves());
    new Sending(call, command, script, until, answer).send(known);
    return answer;
  }

  /** One script in flight. */
  private final class Sending {
    private final RedissonScriptCall call;
    private final RedisCommand<Object> command;
    private final String script;
    private final CompletableFuture<?> until;
    private final CompletableFuture<Answer> answer;

    Sending(
        RedissonScriptCall call,
        RedisCommand<Object> command,
        String script,
        CompletableFuture<?> until,
        CompletableFuture<Answer> answer) {
      this.call = call;
      this.command = command;
      this.script = script;
      this.until = until;
      this.answer = answer;
    }

    void send(int replicas) {
      String key = call.keys().get(0);
      Duration within = within();
      CommandBatchService batch =
          client.createCommandBatchService(
              BatchOptions.defaults()
                  .retryAttempts(0)
                  .responseTimeout(commandTimeout.toMillis(), TimeUnit.MILLISECONDS));
      CompletableFuture<Object> reply =
          batch
              .<Object, Object>evalWriteAsync(
                  key,
                  StringCodec.INSTANCE,
                  command,
                  script,
                  new ArrayList<>(call.keys()),
                  call.arguments().toArray())
              .toCompletableFuture();
      CompletableFuture<Map<String, String>> info =
          batch
              .<Map<String, String>, Map<String, String>>writeAsync(
                  key, StringCodec.INSTANCE, RedisCommands.INFO_REPLICATION)
              .toCompletableFuture();
      CompletableFuture<Integer> synced =
          replicas == 0
              ? CompletableFuture.completedFuture(0)
              : batch
                  .<Integer, Integer>writeAsync(
                      key, StringCodec.INSTANCE, RedisCommands.WAIT, replicas, within.toMillis())
                  .toCompletableFuture();
      until.whenComplete(
          (done, failure) -> {
            if (failure != null) {
              reply.cancel(false);
            }
          });
      batch
          .executeAsync()
          .whenComplete(
              (done, failure) -> {
                if (!reply.isDone() || reply.isCompletedExceptionally()) {
                  answer.completeExceptionally(
                      failure == null ? new CancellationException("not sent") : failure);
                } else if (failure != null) {
                  failed(reply.join(), failure);
                } else {
                  String connected = info.join().getOrDefault("connected_slaves", "0");
                  answered(
                      reply.join(), replicas, Integer.parseInt(connected), synced.join(), within);
                }
              });
    }

    private void answered(
        @Nullable Object reply, int asked, int connected, int synced, Duration within) {
      MasterSlaveEntry primary = client.getConnectionManager().getEntry(call.keys().get(0));
      if (primary != null) {
        primary.setAvailableSlaves(connected);
      }
      if (asked == 0 && connected > 0) {
        send(connected); // connected since; a token that has the lock may repeat it
      } else if (connected > 0 && synced == 0 && config.isCheckLockSyncedSlaves()) {
        doubt(
            reply,
            new LockStoreException(
                Kind.UNAVAILABLE,
                "%s: none of %d replicas acknowledged it within %s"
                    .formatted(call.what(), connected, Setting.written(within))));
      } else {
        answer.complete(Answer.of(reply));
      }
    }

    /** The script ran, but what was sent with it did not. */
    private void failed(@Nullable Object reply, Throwable failure) {
      if (RedisErrors.isUnknown(failure.getMessage())) {
        canWait = false; // a proxy; RLock does without, too
        answer.complete(Answer.of(reply));
      } else {
        doubt(reply, RedissonFailures.of(failure, call.what()));
      }
    }

    private void doubt(@Nullable Object reply, LockStoreException why) {
      answer.complete(new Answer(reply, Optional.of(why)));
    }
  }
}
